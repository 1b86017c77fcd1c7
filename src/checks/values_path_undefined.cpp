// Paths of values that fall through something that is not there.
#include "checks/chart_problems.h"
#include "checks/checks.h"

namespace lockstep {

void check_values_path_undefined(const CheckInput& input, RuleOutcome& outcome) {
    report_problems(input, ProblemKind::nil_path, outcome);
}

} // namespace lockstep

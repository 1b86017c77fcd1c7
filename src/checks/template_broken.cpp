// Templates that do not parse, and those that ask for a template or a function that is not there.
#include "checks/chart_problems.h"
#include "checks/checks.h"

namespace lockstep {

void check_template_broken(const CheckInput& input, RuleOutcome& outcome) {
    report_problems(input, ProblemKind::broken, outcome);
}

} // namespace lockstep

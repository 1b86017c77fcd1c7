// Values that a chart's own schema refuses.
#include "checks/chart_problems.h"
#include "checks/checks.h"

namespace lockstep {

void check_values_schema_violated(const CheckInput& input, RuleOutcome& outcome) {
    report_problems(input, ProblemKind::schema, outcome);
}

} // namespace lockstep

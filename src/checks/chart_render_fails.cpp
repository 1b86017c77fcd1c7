// Charts that Helm would refuse to render, for other reasons than those that have a rule of their own.
#include "checks/chart_problems.h"
#include "checks/checks.h"

namespace lockstep {

void check_chart_render_fails(const CheckInput& input, RuleOutcome& outcome) {
    report_problems(input, ProblemKind::other, outcome);
}

} // namespace lockstep

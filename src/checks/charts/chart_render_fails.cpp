// Charts that Helm would refuse to render, for other reasons than those that have a rule of their own.
#include "checks/chart_problems.h"
#include "rules/check.h"

namespace lockstep::chart_render_fails {
namespace {

void run(const CheckInput& input, RuleOutcome& outcome) {
    report_problems(input, ProblemKind::other, outcome);
}

} // namespace

constexpr NativeCheck check{run, "helmfiles"};

} // namespace lockstep::chart_render_fails

// Templates that do not parse, and those that ask for a template or a function that is not there.
#include "checks/chart_problems.h"
#include "rules/check.h"

namespace lockstep::template_broken {
namespace {

void run(const CheckInput& input, RuleOutcome& outcome) {
    report_problems(input, ProblemKind::broken, outcome);
}

} // namespace

constexpr NativeCheck check{run, "documents"};

} // namespace lockstep::template_broken

// Paths of values that fall through something that is not there.
#include "checks/chart_problems.h"
#include "rules/check.h"

namespace lockstep::values_path_undefined {
namespace {

void run(const CheckInput& input, RuleOutcome& outcome) {
    report_problems(input, ProblemKind::nil_path, outcome);
}

} // namespace

constexpr NativeCheck check{run, "helmfiles"};

} // namespace lockstep::values_path_undefined

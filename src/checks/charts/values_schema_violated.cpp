// Values that a chart's own schema refuses.
#include "checks/chart_problems.h"
#include "rules/check.h"

namespace lockstep::values_schema_violated {
namespace {

void run(const CheckInput& input, RuleOutcome& outcome) {
    report_problems(input, ProblemKind::schema, outcome);
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::values_schema_violated

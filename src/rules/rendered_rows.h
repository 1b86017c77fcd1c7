// Rows of `resources:` facts for objects that Helm renders: from what is rendered, in place of the templates as
// written.
#pragma once
#include "rules/read.h"

namespace lockstep {

void take_rendered_rows(const RuleSet& rules, const FactPlan& plan, ReadResult& result);

} // namespace lockstep

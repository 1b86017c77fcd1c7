// Rows of `resources:` facts for objects that Helm renders: from what is rendered, in place of the templates as
// written.
#pragma once
#include "rules/read.h"

namespace lockstep {

void take_rendered_rows(const RuleSet& rules, const FactPlan& plan, ReadResult& result);

// One row for each object that a cluster gets, as it gets it.
Table applied_rows(const FactSpec& fact, const Repository& repository);

} // namespace lockstep

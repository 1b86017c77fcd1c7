// Findings on a template's line name the line of the values that were printed there.
#pragma once
#include "rules/outcome.h"
#include "rules/read.h"

namespace lockstep {

void add_value_places(std::vector<RuleOutcome>& outcomes, const Repository& repository);

} // namespace lockstep

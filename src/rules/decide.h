// Judges one declarative rule over its filled tables.
#pragma once
#include "rules/outcome.h"

namespace lockstep {

// `tables` are those of the rule's facts, in their order.
void decide(const Rule& rule, const std::vector<const Table*>& tables, RuleOutcome& outcome);

} // namespace lockstep

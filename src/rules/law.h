// The law of severity, held here and not by each rule: an error or a warning about what is applied needs a proven
// chain, and a file that nothing applies gets notes at most.
#pragma once
#include "rules/outcome.h"
#include "rules/read.h"

namespace lockstep {

// Lowers what is not proven, and gives every finding about something applied the chain that proves it.
void apply_law(RuleOutcome& outcome, const Repository& repository);

} // namespace lockstep

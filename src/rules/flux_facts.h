// The facts of flux-version-split for the model of Flux pins, which other checks and `lockstep pins` start from as
// well.
#pragma once
#include "deploy/pinned_flux.h"
#include "rules/check.h"

namespace lockstep {

FluxFacts flux_facts(const RuleFacts& facts, const Repository& repository);
PinnedFlux pinned_flux(const CheckInput& input, const FluxKnowledge& knowledge);

} // namespace lockstep

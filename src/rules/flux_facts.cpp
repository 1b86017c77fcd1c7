// Takes the tables by their names.
#include "rules/flux_facts.h"

namespace lockstep {

FluxFacts flux_facts(const RuleFacts& facts) {
    return {facts.find("charts"),         facts.find("releases"), facts.find("instance"),
            facts.find("instance_chart"), facts.find("mirror"),   facts.find("action")};
}

PinnedFlux pinned_flux(const CheckInput& input, const FluxKnowledge& knowledge) {
    const RuleFacts split = input.facts_of ? input.facts_of("flux-version-split") : RuleFacts();
    const FluxFacts facts = flux_facts(split);
    return PinnedFlux(input.repository, input.config, split.rule ? &facts : nullptr, knowledge);
}

} // namespace lockstep

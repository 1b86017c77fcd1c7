// Takes the tables by their names.
#include "rules/flux_facts.h"
#include "deploy/fleet.h"
#include "index/cells.h"
#include "index/relations.h"
#include <set>

namespace lockstep {

FluxFacts flux_facts(const RuleFacts& facts, const Repository& repository) {
    FluxFacts made{facts.find("charts"),         facts.find("releases"), facts.find("instance"),
                   facts.find("instance_chart"), facts.find("mirror"),   facts.find("action")};
    if (!made.instance_charts) return made;
    std::set<Place> seen; // overlays share a base
    for (const OperatorSync& sync : fleet_of(repository).syncs)
        if (is_there(sync.version.place) && seen.insert(sync.version.place).second)
            made.from_values.push_back(
                {sync.version, subject_of(repository.index, repository.index.objects[sync.object]) + ":version"});
    return made;
}

PinnedFlux pinned_flux(const CheckInput& input, const FluxKnowledge& knowledge) {
    const RuleFacts split = input.facts_of ? input.facts_of("flux-version-split") : RuleFacts();
    const FluxFacts facts = flux_facts(split, input.repository);
    return PinnedFlux(input.repository, input.config, split.rule ? &facts : nullptr, knowledge);
}

} // namespace lockstep

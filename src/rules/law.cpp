// Finds the chain that proves a finding: that of the object it stands on, else that of the file.
#include "rules/law.h"
#include "deploy/fleet.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

// The innermost object whose document holds the place: objects are in file order, holders before what they hold.
EntityId object_at(const Index& index, Place place) {
    auto next =
        std::upper_bound(index.objects.begin(), index.objects.end(), place, [](const Place& at, const Object& one) {
            return at.file != one.file ? at.file < one.file : at.span.begin < one.document.begin;
        });
    while (next != index.objects.begin() && (--next)->file == place.file)
        if (next->document.end >= place.span.end && (!next->embedded || next->bootstrap))
            return static_cast<EntityId>(next - index.objects.begin());
    return no_entity;
}

const Instance* best_instance(const Fleet& fleet, EntityId object) {
    const Instance* best = nullptr;
    for (std::uint32_t number : fleet.of_object(object)) {
        const Instance& one = fleet.instances[number];
        if (!best || fleet.certainty_of(one) > fleet.certainty_of(*best)) best = &one;
    }
    return best;
}

Certainty certainty_at(const Index& index, const Fleet& fleet, const Place& place, const Instance*& proof) {
    const EntityId id = object_at(index, place);
    proof = id == no_entity ? nullptr : best_instance(fleet, id);
    if (id != no_entity && index.objects[id].bootstrap) return Certainty::proven;
    // Helm may apply what a kustomization for local builds lists as well.
    const bool by_helm = proof && index.objects[id].in_templates;
    if (!proof || by_helm) {
        const Certainty file = fleet.certainty_of_file(place.file);
        return proof ? std::max(file, fleet.certainty_of(*proof)) : file;
    }
    return fleet.certainty_of(*proof);
}

} // namespace

void apply_law(RuleOutcome& outcome, const Repository& repository) {
    const Judges judges = outcome.rule->judges;
    if ((judges != Judges::applied && judges != Judges::file) || outcome.findings.empty()) return;
    const Fleet& fleet = fleet_of(repository);
    std::erase_if(outcome.findings, [&](Finding& finding) {
        if (finding.place.file == no_file) return false;
        const Instance* proof = nullptr;
        const Place& applied = is_there(finding.proof) ? finding.proof : finding.place;
        switch (certainty_at(repository.index, fleet, applied, proof)) {
        case Certainty::loose:
            finding.severity = std::min(finding.severity, Severity::note);
            return false;
        case Certainty::possible: // nobody knows whether a cluster gets it
            if (judges != Judges::applied) {
                finding.severity = std::min(finding.severity, Severity::note);
                return false;
            }
            outcome.undecided(finding.place, finding.key, "nobody knows whether a cluster gets it");
            return true;
        case Certainty::proven:
            break;
        }
        finding.chain.clear();
        for (const ChainLink& link : proof ? fleet.chain_of(*proof) : std::vector<ChainLink>())
            if (is_there(link.place)) finding.chain.push_back(link.place);
        if (proof) finding.cluster = fleet.clusters[fleet.root_of(*proof).cluster].name;
        return false;
    });
}

} // namespace lockstep

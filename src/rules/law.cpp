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

void settle(Finding& finding, const Index& index, const Fleet& fleet) {
    if (finding.place.file == no_file) return;
    const EntityId id = object_at(index, finding.place);
    const Instance* proof = id == no_entity ? nullptr : best_instance(fleet, id);
    Certainty certainty = proof ? fleet.certainty_of(*proof) : fleet.certainty_of_file(finding.place.file);
    if (id != no_entity && index.objects[id].bootstrap) certainty = Certainty::proven;
    if (certainty != Certainty::proven) {
        finding.severity = std::min(finding.severity, Severity::note);
    } else if (proof) {
        for (const ChainLink& link : fleet.chain_of(*proof))
            if (is_there(link.place)) finding.chain.push_back(link.place);
        finding.cluster = fleet.clusters[fleet.root_of(*proof).cluster].name;
    }
}

} // namespace

void apply_law(RuleOutcome& outcome, const Repository& repository) {
    const Judges judges = outcome.rule->judges;
    if (judges != Judges::applied && judges != Judges::file) return;
    if (outcome.findings.empty()) return;
    const Fleet& fleet = fleet_of(repository);
    for (Finding& finding : outcome.findings)
        settle(finding, repository.index, fleet);
}

} // namespace lockstep

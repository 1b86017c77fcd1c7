// The object at the place is asked first, then the file: as a kustomization, a patch, a part of a chart, or what it
// holds besides.
#include "deploy/proof.h"
#include "deploy/chain_words.h"
#include "index/cells.h"
#include <algorithm>
#include <set>

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

bool is_proven(const WhyChains& found) {
    return !found.chains.empty() && found.chains.front().certainty == Certainty::proven;
}

AppliedBy::Link::As part_of(ChainLink::By by) {
    if (by == ChainLink::By::given) return AppliedBy::Link::As::begins;
    const bool applies = by == ChainLink::By::flux || by == ChainLink::By::config;
    return applies ? AppliedBy::Link::As::applies : AppliedBy::Link::As::part;
}

} // namespace

Certainty Proofs::certainty_at(EntityId object, FileId file) const {
    if (object != no_entity && fleet_.of_object(object).empty() && index_.objects[object].in_templates)
        if (const auto chart = index_.chart_by_dir.find(index_.objects[object].chart);
            chart != index_.chart_by_dir.end() && fleet_.is_rendered(chart->second))
            return Certainty::loose; // no release has it
    if (object == no_entity || fleet_.of_object(object).empty())
        return object != no_entity && index_.objects[object].bootstrap ? Certainty::proven
                                                                       : fleet_.certainty_of_file(file);
    if (index_.objects[object].bootstrap) return Certainty::proven;
    const Certainty own = fleet_.certainty_of(object);
    // Helm may apply what a kustomization for local builds lists as well.
    return index_.objects[object].in_templates ? std::max(own, fleet_.certainty_of_file(file)) : own;
}

WhyChains Proofs::chains_of_file(FileId file) const {
    if (const EntityId own = fleet_.kustomization_in(file); own != no_entity)
        if (WhyChains found = chains_.of_kustomization(own, {}); is_proven(found)) return found;
    if (WhyChains found = chains_.of_refused(file); is_proven(found)) return found;
    for (std::uint32_t number : index_.listers.of(file)) {
        if (fleet_.is_kept_back(number)) continue;
        const ListedEdge& edge = index_.listed_edges[number];
        const Place entry = index_.kustomizations[edge.kustomization].listed[edge.entry].path.place;
        if (WhyChains found = chains_.of_kustomization(edge.kustomization, entry); is_proven(found)) return found;
    }
    auto object = std::lower_bound(index_.objects.begin(), index_.objects.end(), file,
                                   [](const Object& one, FileId wanted) { return one.file < wanted; });
    for (; object != index_.objects.end() && object->file == file; ++object)
        if (!object->embedded || object->bootstrap)
            if (WhyChains found = chains_.of_object(static_cast<EntityId>(object - index_.objects.begin()));
                is_proven(found))
                return found;
    for (std::string_view dir = directory_of(index_.tree->files[file].path);; dir = directory_of(dir)) {
        const auto chart = index_.chart_by_dir.find(std::string(dir));
        if (chart != index_.chart_by_dir.end()) return chains_.of_chart(chart->second);
        if (dir.empty()) return {};
    }
}

WhyChains Proofs::chains_at(EntityId object, FileId file) const {
    if (object != no_entity)
        if (WhyChains found = chains_.of_object(object); is_proven(found)) return found;
    return chains_of_file(file);
}

AppliedBy Proofs::applied_by(const std::vector<ChainLink>& chain) const {
    AppliedBy by;
    for (const ChainLink& link : chain)
        by.chain.push_back({short_name_of(index_, fleet_, link), link.place, part_of(link.by)});
    return by;
}

// The chain is that of the first instance that is proven; the clusters are those of the instances alone.
Proof Proofs::of(const std::vector<std::uint32_t>& instances, Place place) {
    Proof made;
    std::shared_ptr<AppliedBy> by;
    std::set<std::string_view> clusters;
    bool running = false; // some cluster has it and goes on building it
    for (const std::uint32_t number : instances) {
        const Root& root = fleet_.root_of(fleet_.instances[number]);
        made.certainty = std::max(made.certainty, root.certainty);
        if (root.certainty != Certainty::proven) continue;
        made.passed_over_by = root.passed_over_by;
        running = running || root.passed_over_by == no_number;
        if (!by) {
            const auto chain = chains_.of_instance(number);
            if (!chain) continue;
            by = std::make_shared<AppliedBy>(applied_by(chain->links));
        }
        const std::string& name = fleet_.clusters[root.cluster].name;
        if (!name.empty() && clusters.insert(name).second) by->clusters.push_back(name);
    }
    if (made.certainty == Certainty::proven && !by) return at(place);
    if (running) made.passed_over_by = no_number;
    made.by = std::move(by);
    return made;
}

const Proof& Proofs::at(Place place) {
    const EntityId object = object_at(index_, place);
    const bool fresh = object != no_entity ? !of_object_.count(object) : !of_file_.count(place.file);
    Proof& made = object != no_entity ? of_object_[object] : of_file_[place.file];
    if (!fresh) return made;
    made.certainty = certainty_at(object, place.file);
    if (made.certainty != Certainty::proven) return made;
    const WhyChains found = chains_at(object, place.file);
    if (!is_proven(found)) return made;
    auto by = std::make_shared<AppliedBy>(applied_by(found.chains.front().links));
    by->clusters = found.clusters;
    if (const std::uint32_t root = found.chains.front().root; root != no_number)
        made.passed_over_by = fleet_.roots[root].passed_over_by;
    made.by = std::move(by);
    return made;
}

} // namespace lockstep

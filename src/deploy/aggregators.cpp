// Where nothing says what is applied: topmost kustomizations that only collect folders which others take one by one.
// Nobody needs them, and what they lost is missed by nobody.
#include "deploy/fleet_walk.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

bool is_included(Listing as) {
    return as == Listing::resource || as == Listing::base || as == Listing::component;
}

// Lists what is below it and does nothing else.
bool only_collects(const Kustomization& made) {
    return made.patches.empty() && made.generators.empty() && made.helm_charts.empty() && made.images.empty() &&
           !is_set(made.ns) && !is_set(made.name_prefix) && !is_set(made.name_suffix) &&
           made.common_annotations.empty() && made.common_labels.empty() && made.labels.empty() &&
           !made.inline_plugins &&
           std::all_of(made.listed.begin(), made.listed.end(), [](const Listed& one) { return is_included(one.as); });
}

} // namespace

std::set<EntityId> FleetWalk::aggregators() const {
    std::vector<std::vector<const ListedEdge*>> edges(index_.kustomizations.size());
    for (const ListedEdge& edge : index_.listed_edges)
        if (is_included(index_.kustomizations[edge.kustomization].listed[edge.entry].as))
            edges[edge.kustomization].push_back(&edge);
    // Files that a kustomization includes, those of further kustomizations too.
    auto included = [&](EntityId top) {
        std::set<FileId> files;
        std::vector<EntityId> open{top};
        while (!open.empty()) {
            const EntityId here = open.back();
            open.pop_back();
            for (const ListedEdge* edge : edges[here])
                if (edge->file != no_file && files.insert(edge->file).second && edge->leads_to != no_entity)
                    open.push_back(edge->leads_to);
        }
        return files;
    };
    std::vector<EntityId> collecting;
    std::map<EntityId, std::set<FileId>> of_top;
    std::unordered_map<FileId, std::size_t> takers;
    for (EntityId id = 0; id < index_.kustomizations.size(); ++id) {
        const Kustomization& made = index_.kustomizations[id];
        if (!is_topmost(id, false) || (input_.is_side && input_.is_side(made.file))) continue;
        const auto& files = of_top[id] = included(id);
        for (FileId file : files)
            ++takers[file];
        if (only_collects(made)) collecting.push_back(id);
    }
    std::set<EntityId> found;
    for (EntityId id : collecting) {
        const std::string below = index_.kustomizations[id].dir + "/";
        std::size_t taken = 0;
        const bool all = std::all_of(edges[id].begin(), edges[id].end(), [&](const ListedEdge* edge) {
            if (edge->target == Target::missing) return true;
            if (edge->file == no_file || (below != "/" && !edge->path.starts_with(below))) return false;
            ++taken;
            return takers.at(edge->file) > 1;
        });
        if (!all || taken == 0) continue;
        found.insert(id);
        for (FileId file : of_top[id]) // one that is needed by nobody needs nothing
            --takers[file];
    }
    return found;
}

} // namespace lockstep

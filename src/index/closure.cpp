// Finds the roots, has each walked, and makes the closure searchable.
#include "index/closure.h"
#include "index/cells.h"
#include "index/closure_walk.h"
#include <algorithm>

namespace lockstep {
namespace {

// A patch document for a Flux Kustomization applies nothing.
bool is_whole(const Index& index, const FluxKustomization& flux) {
    const Object& object = index.objects[flux.object];
    return !object.partial && !object.as_patch && is_set(flux.source.name);
}

void walk_flux(const Index& index, ClosureWalk& walk, Closure& made) {
    for (EntityId id = 0; id < index.flux_kustomizations.size(); ++id) {
        const FluxKustomization& flux = index.flux_kustomizations[id];
        const FluxEdges& edges = index.flux_edges[id];
        if (!is_whole(index, flux)) continue;
        const Place entry = is_there(flux.path.place) ? flux.path.place : flux.source.place;
        const bool elsewhere = edges.this_repository == Ours::no;
        std::vector<std::string> dirs = edges.dirs;
        if (dirs.empty() || elsewhere) dirs.assign(1, dirs.empty() ? std::string() : dirs.front());
        for (const std::string& dir : dirs) {
            ClosureRoot root;
            root.flux = id;
            root.dir = dir;
            root.sure = edges.this_repository == Ours::yes && flux.path.state != State::templated;
            made.by_flux[id].push_back(static_cast<std::uint32_t>(made.roots.size()));
            const auto found = index.kustomization_by_dir.find(dir);
            if (elsewhere || edges.dirs.empty()) {
                root.gaps.push_back({elsewhere ? ClosureGap::Why::remote : ClosureGap::Why::templated, entry});
                root.first = static_cast<std::uint32_t>(made.applied.size());
                made.roots.push_back(std::move(root));
                continue;
            }
            if (found != index.kustomization_by_dir.end()) root.kustomization = found->second;
            walk.walk(std::move(root), entry);
        }
        if (made.truncated) return;
    }
}

// Kustomizations that nothing includes, then those that only each other include.
void walk_others(const Index& index, ClosureWalk& walk, const Closure& so_far) {
    for (bool all : {false, true}) {
        for (EntityId id = 0; id < index.kustomizations.size(); ++id) {
            const Kustomization& made = index.kustomizations[id];
            if (so_far.truncated) return;
            if (made.component || made.embedded || walk.visited(id)) continue;
            if (!all && index.dir_listers.count(id)) continue;
            ClosureRoot root;
            root.kustomization = id;
            root.dir = made.dir;
            walk.walk(std::move(root), made.place);
        }
    }
}

void link_parents(const Index& index, Closure& made) {
    std::unordered_map<EntityId, EntityId> flux_of;
    for (const auto& [flux, roots] : made.by_flux)
        flux_of.emplace(index.flux_kustomizations[flux].object, flux);
    for (const Applied& applied : made.applied) {
        const auto flux = flux_of.find(applied.object);
        if (applied.object == no_entity || flux == flux_of.end()) continue;
        for (std::uint32_t number : made.by_flux[flux->second]) {
            ClosureRoot& root = made.roots[number];
            if (root.parents.empty() || root.parents.back() != applied.root) root.parents.push_back(applied.root);
            if (applied.respecified) root.sure = false;
        }
    }
}

} // namespace

Closure build_closure(const Index& index, std::size_t most) {
    Closure made;
    ClosureWalk walk(index, most, made);
    walk_flux(index, walk, made);
    walk_others(index, walk, made);
    if (made.truncated) { // a part would look like the whole to those who ask
        Closure nothing;
        nothing.truncated = true;
        nothing.truncated_at = made.truncated_at;
        return nothing;
    }
    std::vector<EntityId> objects;
    objects.reserve(made.applied.size());
    for (std::uint32_t i = 0; i < made.applied.size(); ++i) {
        const Applied& applied = made.applied[i];
        objects.push_back(applied.object);
        if (is_known(applied.name)) made.by_name[name_key(kind_of(index, applied), applied.name.text)].push_back(i);
    }
    made.by_object = Groups(index.objects.size(), objects);
    link_parents(index, made);
    return made;
}

} // namespace lockstep

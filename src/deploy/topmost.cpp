// Which Flux Kustomizations nothing in this tree applies: with these every cluster begins.
#include "deploy/fleet_walk.h"
#include "index/cells.h"
#include "index/links.h"
#include <algorithm>
#include <numeric>
#include <utility>

namespace lockstep {

// What `kubectl get -o yaml` prints, kept as a backup: it shows the cluster of that day. The word is looked
// for first, as the nodes of a file cost more.
bool FleetWalk::is_live_copy(const Object& object) const {
    const std::string_view text = index_.tree->files[object.file].text;
    const std::string_view own = text.substr(object.document.begin, object.document.end - object.document.begin);
    if (own.find("resourceVersion") == std::string_view::npos) return false;
    const auto& documents = input_.files.view(object.file).documents;
    if (object.ordinal >= documents.size()) return false;
    const NodeRef root = documents[object.ordinal].root;
    return node_at(root, {"metadata", "resourceVersion"}) && node_at(root, {"metadata", "uid"});
}

// One that applies something: whole, to be applied as it is, and not a sample.
bool FleetWalk::is_candidate(EntityId id) const {
    const FluxKustomization& flux = index_.flux_kustomizations[id];
    const Object& object = index_.objects[flux.object];
    if (object.partial || object.as_patch || !is_set(flux.source.name)) return false;
    if ((object.embedded && !object.bootstrap) || is_live_copy(object)) return false;
    if (object.in_templates && index_.listers.of(object.file).empty()) return false; // Helm renders it
    return !input_.is_side || !input_.is_side(object.file);
}

bool FleetWalk::may_bring_flux(const std::string& dir) {
    if (flux_folders_.empty())
        for (const FluxKustomization& flux : index_.flux_kustomizations)
            for (std::string_view at = index_.tree->files[index_.objects[flux.object].file].path; !at.empty();) {
                at = directory_of(at);
                if (!flux_folders_.emplace(at).second) break; // and so are those around it
            }
    const auto own = index_.kustomization_by_dir.find(dir);
    if (flux_folders_.contains(dir)) return true;
    if (own == index_.kustomization_by_dir.end()) // with each list below it
        return std::any_of(index_.kustomizations.begin(), index_.kustomizations.end(),
                           [&](const Kustomization& one) { return dir.empty() || one.dir.starts_with(dir + "/"); });
    const auto [known, fresh] = brings_flux_.try_emplace(own->second, false);
    if (!fresh) return known->second;
    auto edge = std::lower_bound(index_.listed_edges.begin(), index_.listed_edges.end(), own->second,
                                 [](const ListedEdge& one, EntityId id) { return one.kustomization < id; });
    for (; edge != index_.listed_edges.end() && edge->kustomization == own->second; ++edge)
        if (edge->target == Target::directory
                ? may_bring_flux(edge->path)
                : edge->target == Target::file && flux_folders_.contains(directory_of(edge->path)))
            return brings_flux_[own->second] = true;
    return false;
}

std::vector<EntityId> FleetWalk::topmost_flux() {
    const std::size_t count = index_.flux_kustomizations.size();
    std::vector<std::vector<EntityId>> below(count);
    std::vector<bool> candidate(count, false), reached(count, false);
    const auto is_other = [&](EntityId flux, const std::string& above) {
        const std::string own = sync_identity(flux);
        return !own.empty() && !above.empty() && own != above;
    };
    for (EntityId id = 0; id < count; ++id) {
        candidate[id] = is_candidate(id);
        const FluxKustomization& flux = index_.flux_kustomizations[id];
        if (!candidate[id] || flux.path.state == State::templated) continue;
        const std::string& ns = index_.objects[flux.object].ns.text;
        const Origin origin = origin_of(flux.source, ns, flux.object, no_number);
        if (origin.ours != Ours::yes) continue;
        FluxSpec spec;
        spec.path = flux.path;
        for (const std::string& dir : folders_of(spec, origin)) {
            if (!index_.tree->has_directory(dir)) continue;
            plan(dir, id);
            if (!may_bring_flux(dir)) continue;
            for (const Resource& resource : plain_build(dir, true).resources) {
                if (resource.id.kind != "Kustomization") continue;
                const EntityId object = object_at(resource.document);
                const EntityId other = object == no_entity ? no_entity : flux_of_object_[object];
                if (other == no_entity || other == id) continue;
                if (origin.declared != no_entity &&
                    is_other(other, OwnSources::identity_of(fields_of(index_.sources[origin.declared]))))
                    continue;
                below[id].push_back(other);
                reached[other] = true;
            }
        }
    }
    std::vector<EntityId> tops, open, below_syncs;
    std::vector<bool> seen(count, false);
    for (const OperatorSync& sync : made_.syncs) { // what an operator's sync applies is not topmost
        const bool known = is_set(sync.url) && sync.path.state != State::templated;
        const auto folder = known ? folder_of(sync) : SyncFolder();
        if (!folder.dir) continue;
        for (const Resource& resource : plain_build(*folder.dir, true).resources) {
            const EntityId object = resource.id.kind == "Kustomization" ? object_at(resource.document) : no_entity;
            const EntityId flux = object == no_entity ? no_entity : flux_of_object_[object];
            if (flux != no_entity && !is_other(flux, OwnSources::identity_of(fields_of(made_by(sync)))))
                below_syncs.push_back(flux);
        }
    }
    auto descend = [&](EntityId from) {
        seen[from] = true;
        open.push_back(from);
        while (!open.empty()) {
            const EntityId here = open.back();
            open.pop_back();
            for (EntityId other : below[here])
                if (!seen[other]) {
                    seen[other] = true;
                    open.push_back(other);
                }
        }
    };
    for (EntityId id : below_syncs)
        descend(id);
    for (bool all : {false, true}) // at last those that apply each other in a circle
        for (EntityId id = 0; id < count; ++id)
            if (candidate[id] && !seen[id] && (all || !reached[id])) {
                tops.push_back(id);
                descend(id);
            }
    return tops;
}

// Of the source, where a Flux Kustomization is what bootstrap writes; empty for all others.
std::string FleetWalk::sync_identity(EntityId flux) const {
    const EntityId source = index_.flux_edges[flux].source;
    const Object& object = index_.objects[index_.flux_kustomizations[flux].object];
    if (source == no_entity || !own_->is_sync(source) || index_.sources[source].name.text != object.name.text)
        return {};
    return OwnSources::identity_of(fields_of(index_.sources[source]));
}

// A cluster has one sync of a name: that of another source, url or branch is of another cluster, whoever lists its
// file.
bool FleetWalk::begins_another_cluster(EntityId flux, const Instance& maker, std::uint32_t cluster) {
    ClusterSync own{std::string(maker.id().ns), std::string(maker.id().name),
                    flux == no_entity ? std::string() : sync_identity(flux)};
    if (own.identity.empty()) return false;
    const auto [known, fresh] = sync_of_cluster_.try_emplace(cluster, own);
    return !fresh && known->second.ns == own.ns && known->second.name == own.name && !known->second.identity.empty() &&
           known->second.identity != own.identity;
}

// The folder that a cluster is called by. What bootstrap writes is a folder below it.
std::string FleetWalk::cluster_folder(const Object& object) const {
    if (!tree_of(index_, object).empty()) return tree_of(index_, object);
    std::string_view dir = directory_of(index_.tree->files[object.file].path);
    if (file_name_of(dir) == "flux-system") dir = directory_of(dir);
    return std::string(dir);
}

bool FleetWalk::comes_through(const Instance& one, EntityId list) const {
    const Kustomization& made = index_.kustomizations[list];
    for (const Via* via = one.resource.via; via; via = via->below)
        if (via->kustomization == made.file) return true;
    return made_.root_of(one).dir == made.dir;
}

// A sync runs in the cluster that gets the object which makes it: what else begins there is the same cluster.
void FleetWalk::join_clusters() {
    std::vector<std::uint32_t> same(made_.clusters.size());
    std::iota(same.begin(), same.end(), 0U);
    const auto end_of = [&](std::uint32_t cluster) {
        while (same[cluster] != cluster)
            cluster = same[cluster];
        return cluster;
    };
    bool any = false;
    for (std::size_t number = 0; number < made_.syncs.size(); ++number) {
        const OperatorSync& sync = made_.syncs[number];
        if (cluster_of_sync_[number] == no_number) continue;
        for (const Instance& one : made_.instances) {
            const Root& root = made_.root_of(one);
            if (one.object != sync.object || root.cluster == no_number || !root.spec.cluster.empty()) continue;
            if (sync.list != no_entity && !comes_through(one, sync.list)) continue;
            const std::uint32_t from = end_of(cluster_of_sync_[number]), to = end_of(root.cluster);
            any = any || from != to;
            same[from] = to;
        }
    }
    if (!any) return;
    for (Root& root : made_.roots)
        if (root.cluster != no_number) root.cluster = end_of(root.cluster);
    for (std::uint32_t i = 0; i < same.size(); ++i)
        if (const std::uint32_t to = end_of(i); to != i)
            for (const std::uint32_t top : std::exchange(made_.clusters[i].tops, {}))
                made_.clusters[to].tops.push_back(top);
    for (auto& [name, cluster] : cluster_by_name_)
        cluster = end_of(cluster);
}

} // namespace lockstep

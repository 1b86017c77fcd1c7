// Reads spec.sync of FluxInstances, and the same in the values of the flux-instance chart.
#include "deploy/syncs.h"
#include "index/cells.h"

namespace lockstep {
namespace {

// What is written, else what the folder's kustomization or the Flux Kustomization over it gives.
std::string namespace_of(const Index& index, const Object& object) {
    if (is_known(object.ns)) return object.ns.text;
    const std::string dir(directory_of(index.tree->files[object.file].path));
    if (const auto list = index.kustomization_by_dir.find(dir);
        list != index.kustomization_by_dir.end() && is_known(index.kustomizations[list->second].ns))
        return index.kustomizations[list->second].ns.text;
    for (const FluxKustomization& flux : index.flux_kustomizations)
        if (is_known(flux.target_namespace) && is_known(flux.path) && join_path("", flux.path.text) == dir)
            return flux.target_namespace.text;
    return "flux-system";
}

void add(std::vector<OperatorSync>& found, const Index& index, EntityId id, const Value* sync) {
    if (!sync || !sync->is_mapping()) return;
    const Object& object = index.objects[id];
    OperatorSync made;
    made.object = id;
    made.ns = namespace_of(index, object);
    const Cell name = cell_at(sync, {"name"});
    made.name = is_known(name) ? name.text : made.ns;
    made.kind = cell_at(sync, {"kind"});
    made.url = cell_at(sync, {"url"});
    made.ref = cell_at(sync, {"ref"});
    made.path = cell_at(sync, {"path"});
    if (is_set(made.url)) found.push_back(std::move(made));
}

} // namespace

MadeSync made_by(const OperatorSync& sync) {
    std::string_view branch = sync.ref.text;
    if (branch.starts_with("refs/heads/")) branch.remove_prefix(11);
    return {sync.name, sync.kind, sync.url, sync.path, std::string(branch)};
}

std::vector<OperatorSync> operator_syncs(const Index& index, const std::function<const Value*(EntityId)>& tree_of) {
    std::vector<OperatorSync> found;
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (object.kind.text == "FluxInstance" && !object.embedded && !object.as_patch)
            add(found, index, id, value_at(tree_of(id), {"spec", "sync"}));
    }
    for (EntityId id = 0; id < index.releases.size(); ++id)
        if (index.release_edges[id].chart_name.text == "flux-instance")
            add(found, index, index.releases[id].object,
                value_at(tree_of(index.releases[id].object), {"spec", "values", "instance", "sync"}));
    return found;
}

} // namespace lockstep

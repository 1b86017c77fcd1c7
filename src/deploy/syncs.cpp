// Reads spec.sync of FluxInstances, and the same in the values of the flux-instance chart.
#include "deploy/syncs.h"
#include "index/cells.h"

namespace lockstep {
namespace {

void add(std::vector<OperatorSync>& found, const Index& index, EntityId id, const Value* sync) {
    if (!sync || !sync->is_mapping()) return;
    const Object& object = index.objects[id];
    OperatorSync made;
    made.object = id;
    made.ns = is_known(object.ns) ? object.ns.text : "flux-system";
    const Cell name = cell_at(sync, {"name"});
    made.name = is_known(name) ? name.text : made.ns;
    made.kind = cell_at(sync, {"kind"});
    made.url = cell_at(sync, {"url"});
    made.ref = cell_at(sync, {"ref"});
    made.path = cell_at(sync, {"path"});
    if (is_set(made.url)) found.push_back(std::move(made));
}

} // namespace

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

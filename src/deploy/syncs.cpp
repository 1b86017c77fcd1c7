// Reads spec.sync of FluxInstances, and the same in the values of the flux-instance chart, wherever they come from.
#include "deploy/syncs.h"
#include "deploy/release_values.h"
#include "deploy/value_layers.h"
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

OperatorSync begin_sync(const Index& index, EntityId id, const SyncForm& form) {
    OperatorSync made;
    made.object = id;
    made.list = form.list;
    made.ns = form.ns.empty() ? namespace_of(index, index.objects[id]) : form.ns;
    return made;
}

// A value that later ones overrule.
void take(Cell& to, Cell from) {
    if (!is_set(from)) return;
    if (is_known(from) && (from.text.find("${") != std::string::npos || from.text.find("{{") != std::string::npos))
        from.state = State::templated;
    to = std::move(from);
}

void take_sync(OperatorSync& made, Cell& name, const Value* sync) {
    take(name, cell_at(sync, {"name"}));
    take(made.kind, cell_at(sync, {"kind"}));
    take(made.url, cell_at(sync, {"url"}));
    take(made.ref, cell_at(sync, {"ref"}));
    take(made.path, cell_at(sync, {"path"}));
}

void finish_sync(std::vector<OperatorSync>& found, OperatorSync made, const Cell& name) {
    made.name = is_known(name) ? name.text : made.ns;
    if (is_set(made.url) || is_set(made.version)) found.push_back(std::move(made));
}

// The values of the flux-instance chart, weakest first.
void take_values(OperatorSync& made, Cell& name, const Index& index, const SyncForm& form) {
    ChartRequest request;
    values_of_release(form.tree, form.supply, request);
    const std::vector<std::pair<std::string_view, Cell*>> fields = {
        {"instance.sync.name", &name},      {"instance.sync.kind", &made.kind},
        {"instance.sync.url", &made.url},   {"instance.sync.ref", &made.ref},
        {"instance.sync.path", &made.path}, {"instance.distribution.version", &made.version}};
    for (const ValuesPart& part : request.values) {
        Arena arena;
        if (!part.known || !part.target_path.empty()) { // nobody knows which of them it says
            for (const auto& [path, cell] : fields)
                if (part.target_path.empty() || part.target_path == path)
                    *cell = {part.known ? State::known : State::templated, part.text, part.place};
            continue;
        }
        const bool whole =
            part.place.file < index.tree->files.size() && index.tree->files[part.place.file].text == part.text;
        const Value* tree = part.tree;
        if (!tree) tree = whole ? yaml_of(part.place.file, part.text, arena) : yaml_in(part.text, part.place, arena);
        take_sync(made, name, value_at(tree, {"instance", "sync"}));
        const Cell version = cell_at(tree, {"instance", "distribution", "version"});
        if (is_set(version)) made.version = part.tree ? Cell{} : version; // the release itself is read with all others
    }
}

} // namespace

MadeSync made_by(const OperatorSync& sync) {
    std::string_view branch = sync.ref.text;
    if (branch.starts_with("refs/heads/")) branch.remove_prefix(11);
    return {sync.name, sync.kind, sync.url, sync.path, std::string(branch)};
}

std::vector<OperatorSync> operator_syncs(const Index& index, const SyncForms& forms) {
    std::vector<OperatorSync> found;
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (object.kind.text != "FluxInstance" || object.embedded || object.as_patch) continue;
        for (const SyncForm& form : forms(id)) {
            OperatorSync made = begin_sync(index, id, form);
            Cell name;
            take_sync(made, name, value_at(form.tree, {"spec", "sync"}));
            finish_sync(found, std::move(made), name);
        }
    }
    for (EntityId id = 0; id < index.releases.size(); ++id) {
        const EntityId object = index.releases[id].object;
        if (index.release_edges[id].chart_name.text != "flux-instance" || index.objects[object].as_patch) continue;
        for (const SyncForm& form : forms(object)) {
            OperatorSync made = begin_sync(index, object, form);
            Cell name;
            take_values(made, name, index, form);
            finish_sync(found, std::move(made), name);
        }
    }
    return found;
}

} // namespace lockstep

// Cells out of a tree.
#include "deploy/flux_spec.h"
#include "base/base64.h"
#include "index/cells.h"
#include "kustomize/kustomization.h"

namespace lockstep {

Place decided_at(const Value& value) {
    const Place& by = value.changed_by;
    const bool inside =
        by.file == value.place.file && by.span.begin <= value.place.span.begin && value.place.span.end <= by.span.end;
    return by.file == no_file || inside ? value.place : by;
}

Cell cell_of(const Value* value) {
    if (!value || !value->is_scalar() || value->is_null())
        return {State::absent, {}, value ? decided_at(*value) : Place{}};
    Cell cell{value->unknown ? State::templated : State::known, std::string(value->text), decided_at(*value)};
    if (value->tag == "!!binary") // what is read is what it stands for
        if (auto bytes = from_base64(cell.text)) cell.text = std::move(*bytes);
    return cell;
}

const Value* value_at(const Value* root, std::initializer_list<std::string_view> keys) {
    for (std::string_view key : keys)
        root = root ? root->get(key) : nullptr;
    return root;
}

Cell cell_at(const Value* root, std::initializer_list<std::string_view> keys) {
    Place deepest = root ? root->place : Place{};
    for (std::string_view key : keys) {
        if (const Value* own = root ? root->get_key(key) : nullptr) deepest = own->place;
        root = root ? root->get(key) : nullptr;
    }
    Cell cell = cell_of(root);
    if (!is_set(cell)) cell.place = deepest;
    return cell;
}

bool FluxSpec::is_whole() const {
    return is_set(source.name);
}

FluxSpec read_flux_spec(const Value* root) {
    FluxSpec made;
    made.path = cell_at(root, {"spec", "path"});
    made.target_namespace = cell_at(root, {"spec", "targetNamespace"});
    made.name_prefix = cell_at(root, {"spec", "namePrefix"});
    made.name_suffix = cell_at(root, {"spec", "nameSuffix"});
    made.prune = cell_at(root, {"spec", "prune"});
    made.force = cell_at(root, {"spec", "force"});
    made.suspend = cell_at(root, {"spec", "suspend"});
    made.source.kind = cell_at(root, {"spec", "sourceRef", "kind"});
    made.source.name = cell_at(root, {"spec", "sourceRef", "name"});
    made.source.ns = cell_at(root, {"spec", "sourceRef", "namespace"});
    if (const Value* reference = value_at(root, {"spec", "sourceRef"})) made.source.place = reference->place;
    made.patches = value_at(root, {"spec", "patches"});
    if (root && root->text_of("apiVersion").find("/v1beta") != std::string_view::npos &&
        (value_at(root, {"spec", "patchesStrategicMerge"}) || value_at(root, {"spec", "patchesJson6902"})))
        made.older = value_at(root, {"spec"});
    made.images = value_at(root, {"spec", "images"});
    made.substitute = value_at(root, {"spec", "postBuild", "substitute"});
    made.substitute_from = value_at(root, {"spec", "postBuild", "substituteFrom"});
    made.common_labels = value_at(root, {"spec", "commonMetadata", "labels"});
    made.common_annotations = value_at(root, {"spec", "commonMetadata", "annotations"});
    // Without a single variable Flux substitutes nothing, unless it is told to.
    made.post_build = (made.substitute && made.substitute->size() > 0) ||
                      (made.substitute_from && made.substitute_from->size() > 0) ||
                      cell_at(root, {"spec", "postBuild", "substituteStrategy"}).text == "Always";
    if (const Value* components = value_at(root, {"spec", "components"}))
        for (const Value* item : components->items())
            made.components.push_back(cell_of(item));
    made.ignore_missing_components = truth(value_at(root, {"spec", "ignoreMissingComponents"}));
    if (const Value* spec = value_at(root, {"spec"})) made.place = spec->place;
    if (const Value* other = value_at(root, {"spec", "kubeConfig"})) {
        made.cluster = cell_at(other, {"secretRef", "name"}).text + cell_at(other, {"configMapRef", "name"}).text;
        if (made.cluster.empty()) made.cluster = "kubeConfig";
    }
    return made;
}

} // namespace lockstep

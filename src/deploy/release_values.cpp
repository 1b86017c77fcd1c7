// Reads the tree of a HelmRelease as helm-controller does.
#include "deploy/release_values.h"
#include "deploy/flux_spec.h"
#include "deploy/variables.h"
#include "index/cells.h"
#include "index/links.h"
#include "yaml/emit.h"

namespace lockstep {
namespace {

// One entry of valuesFrom; the reason when it is not known.
std::string add_source(const Value& entry, const SupplierOf& supply, ChartRequest& request) {
    const Cell kind = cell_at(&entry, {"kind"}), name = cell_at(&entry, {"name"});
    const Cell key = cell_at(&entry, {"valuesKey"}), target = cell_at(&entry, {"targetPath"});
    const bool readable = is_known(kind) && is_known(name) && key.state != State::templated;
    const Value* object = readable ? supply(kind.text, name.text) : nullptr;
    const std::string wanted = is_set(key) ? key.text : "values.yaml";
    ValuesPart part;
    part.place = name.place;
    part.known = false;
    if (is_known(target)) part.target_path = target.text;
    if (object) {
        const bool secret = kind.text == "Secret";
        for (const Datum& datum : data_of(object, secret)) {
            if (datum.key != wanted) continue;
            part.known = datum.known;
            part.text = datum.text;
            part.place = datum.place;
        }
    }
    const bool known = part.known, one_value = !part.target_path.empty();
    request.values.push_back(std::move(part));
    if (known || one_value) return {}; // one value that is not known is marked as such
    return "the values of " + kind.text + " " + name.text + " are not in this tree";
}

void add_patch(const Value* target, std::string_view text, Place place, Arena& arena, ExtraLayer& layer) {
    Value* entry = make_mapping(arena);
    Value* patch = make_text(arena, text);
    entry->place = patch->place = place;
    set(*entry, "patch", patch, arena);
    if (target) set(*entry, "target", clone(*target, arena), arena);
    layer.patches.push_back(entry);
}

std::string written(const Value& value) {
    std::string text;
    emit_yaml(value, text, {false, nullptr});
    return text;
}

} // namespace

std::string values_of_release(const Value* release, const SupplierOf& supply, const Index& index,
                              const ChartLibrary& charts, ChartRequest& request) {
    std::string unseen;
    const auto note = [&](std::string why) {
        if (unseen.empty()) unseen = std::move(why);
    };
    if (const Value* files = value_at(release, {"spec", "chart", "spec", "valuesFiles"}))
        for (const Value* item : files->items()) {
            const auto file = index.tree->find(clamp_path(item->text));
            if (file && request.chart != no_entity && charts.bytes(*file))
                request.values_files.push_back(*file);
            else
                note("the values file " + std::string(item->text) + " is not in this tree");
        }
    if (const Value* from = value_at(release, {"spec", "valuesFrom"}))
        for (const Value* entry : from->items())
            if (std::string why = add_source(*entry, supply, request); !why.empty()) note(std::move(why));
    if (const Value* values = value_at(release, {"spec", "values"}); values && values->is_mapping()) {
        ValuesPart part;
        part.tree = values;
        part.place = values->place;
        request.values.push_back(std::move(part));
    }
    return unseen;
}

void add_older_patches(const Value& owner, Arena& arena, ExtraLayer& layer) {
    const auto items = [&](std::string_view key) {
        const Value* list = owner.get(key);
        return list ? list->items() : std::span<Value* const>();
    };
    for (const Value* patch : items("patchesStrategicMerge"))
        add_patch(nullptr, written(*patch), patch->place, arena, layer);
    for (const Value* patch : items("patchesJson6902"))
        if (const Value* steps = patch->get("patch"))
            add_patch(patch->get("target"), written(*steps), patch->place, arena, layer);
}

void add_post_renderers(const Value* release, Arena& arena, ExtraLayer& layer) {
    const Value* renderers = value_at(release, {"spec", "postRenderers"});
    for (const Value* one : renderers ? renderers->items() : std::span<Value* const>()) {
        const Value* kustomize = one->get("kustomize");
        if (!kustomize || !kustomize->is_mapping()) continue;
        const auto take = [&](std::string_view key, std::vector<const Value*>& to) {
            if (const Value* list = kustomize->get(key))
                to.insert(to.end(), list->items().begin(), list->items().end());
        };
        take("patches", layer.patches);
        add_older_patches(*kustomize, arena, layer);
        take("images", layer.images);
    }
}

} // namespace lockstep

// Reads what a HelmRelease asks helm-controller to do with what its chart renders.
#include "deploy/post_renderers.h"
#include "deploy/flux_spec.h"
#include "yaml/emit.h"
#include <algorithm>

namespace lockstep {
namespace {

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

bool hooks_are_off(const Value* release, std::string_view action) {
    return cell_at(release, {"spec", action, "disableHooks"}).text == "true";
}

// Helm 4 gave hooks to post-renderers; Flux 2.8.6 took that back, and 2.9 asks the release.
PostRendering::Hooks hooks_for(const Value* release, const ClusterVersions& runs) {
    using Hooks = PostRendering::Hooks;
    if (!runs.flux || !runs.helm.is_4()) return Hooks::apart;
    if (runs.flux->major == 2 && runs.flux->minor == 8) return runs.flux->patch < 6 ? Hooks::together : Hooks::apart;
    const Cell asked = cell_at(release, {"spec", "postRenderStrategy"});
    if (asked.text == "nohooks") return Hooks::apart;
    return asked.text == "separate" ? Hooks::separate : Hooks::together;
}

} // namespace

bool PostRendering::runs(const std::vector<std::string>& events) const {
    return events.empty() || std::any_of(events.begin(), events.end(), [&](const std::string& event) {
               if (event.ends_with("-install")) return !no_install;
               if (event.ends_with("-upgrade")) return !no_upgrade;
               if (event.ends_with("-delete")) return !no_delete;
               if (event.ends_with("-rollback")) return !no_rollback;
               return true;
           });
}

PostRendering post_rendering(const Value* release, const ClusterVersions& runs, Place place, Arena& arena) {
    PostRendering made;
    made.hooks = hooks_for(release, runs);
    const Value* renderers = value_at(release, {"spec", "postRenderers"});
    for (const Value* one : renderers ? renderers->items() : std::span<Value* const>()) {
        const Value* kustomize = one->get("kustomize");
        if (!kustomize || !kustomize->is_mapping()) continue;
        ExtraLayer layer;
        layer.place = place;
        const auto take = [&](std::string_view key, std::vector<const Value*>& to) {
            if (const Value* list = kustomize->get(key))
                to.insert(to.end(), list->items().begin(), list->items().end());
        };
        take("patches", layer.patches);
        add_older_patches(*kustomize, arena, layer);
        take("images", layer.images);
        if (!layer.patches.empty() || !layer.images.empty()) made.layers.push_back(std::move(layer));
    }
    made.labels = value_at(release, {"spec", "commonMetadata", "labels"});
    made.annotations = value_at(release, {"spec", "commonMetadata", "annotations"});
    made.no_install = hooks_are_off(release, "install");
    made.no_upgrade = hooks_are_off(release, "upgrade");
    made.no_delete = hooks_are_off(release, "uninstall");
    made.no_rollback = hooks_are_off(release, "rollback");
    return made;
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

} // namespace lockstep

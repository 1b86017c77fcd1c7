// Edits a kustomization as Flux does before it builds.
#include "kustomize/layer.h"

namespace lockstep {

KustomizationFile with_layer(const KustomizationFile* file, const ExtraLayer& layer, Arena& arena) {
    KustomizationFile made;
    if (file && !layer.generate) made = *file;
    if (!made.root) {
        Value* root = make_mapping(arena);
        root->place = layer.place;
        made.root = root;
        made.name = "kustomization.yaml";
    }
    const auto text = [&](const std::string& from, const Place& place) {
        Value* node = make_text(arena, from);
        node->place = place;
        return node;
    };
    const auto add = [&](std::vector<TextEntry>& entries, const std::string& path, const Place& place) {
        const Value* node = text(path, place);
        entries.push_back({node->text, node});
    };
    if (layer.generate)
        for (const std::string& path : layer.resources)
            add(made.resources, path, layer.place);
    const auto override_text = [&](const std::string& from, std::string_view& to, const Value*& node) {
        if (from.empty()) return;
        node = text(from, layer.place);
        to = node->text;
    };
    override_text(layer.ns, made.ns, made.ns_node);
    override_text(layer.name_prefix, made.name_prefix, made.prefix_node);
    override_text(layer.name_suffix, made.name_suffix, made.suffix_node);
    for (const ExtraLayer::Folder& component : layer.components)
        add(made.components, component.path, component.place);
    for (const Value* patch : layer.patches)
        made.patches.push_back(read_patch_entry(*patch));
    for (const Value* image : layer.images) {
        bool replaced = false;
        for (const Value*& own : made.images)
            if (own->text_of("name") == image->text_of("name")) {
                own = image;
                replaced = true;
            }
        if (!replaced) made.images.push_back(image);
    }
    return made;
}

} // namespace lockstep

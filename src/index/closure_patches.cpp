// Reads patches for the few things that change which objects there are.
#include "index/closure_patches.h"
#include "index/cells.h"

namespace lockstep {
namespace {

struct PatchReader {
    Effects& made;
    const Patch& patch;
    Place place;

    // A target's field is an anchored expression. Plain text fits itself; anything else may fit anything.
    static void set_target(Effect& effect, std::string& to, const Cell& cell) {
        if (!is_set(cell) || cell.text.empty() || cell.text == ".*") return;
        const bool plain = cell.text.find_first_of("*+?()[]{}|^$\\") == std::string::npos;
        if (is_known(cell) && plain)
            to = cell.text;
        else
            effect.vague = true;
    }

    void add(Effect::What what, NodeRef document) {
        Effect effect;
        effect.what = what;
        effect.place = place;
        const Cell* target[] = {&patch.target_group,     &patch.target_kind,     &patch.target_name,
                                &patch.target_namespace, &patch.target_selector, &patch.target_annotation_selector};
        bool targeted = false;
        for (const Cell* cell : target)
            targeted = targeted || is_set(*cell);
        set_target(effect, effect.kind, patch.target_kind);
        set_target(effect, effect.name, patch.target_name);
        set_target(effect, effect.ns, patch.target_namespace);
        if (is_set(patch.target_selector) || is_set(patch.target_annotation_selector)) effect.vague = true;
        if (!targeted) {
            const NodeRef name = node_at(document, {"metadata", "name"});
            const NodeRef ns = node_at(document, {"metadata", "namespace"});
            effect.kind = document.get("kind").resolved().text();
            effect.name = name.text();
            effect.ns = ns.text();
            effect.vague = name.templated() || ns.templated();
            if (effect.kind.empty() || effect.name.empty()) return; // kustomize takes no such patch
        }
        made.effects.push_back(std::move(effect));
    }

    void read(NodeRef root) {
        if (root.is_sequence()) {
            for (NodeRef operation : root.items()) {
                const std::string_view path = operation.resolved().get("path").resolved().text();
                if (path == "/metadata/name" || path == "/metadata/namespace" || path == "/metadata")
                    add(Effect::What::rename, {});
                if (path.starts_with("/spec/path") || path.starts_with("/spec/sourceRef") ||
                    path.starts_with("/spec/targetNamespace") || path == "/spec")
                    add(Effect::What::respecify, {});
            }
            return;
        }
        if (!root.is_mapping()) return;
        if (root.get("$patch").resolved().text() == "delete") return add(Effect::What::remove, root);
        const NodeRef spec = root.get("spec").resolved();
        if (spec.get_key("path") || spec.get_key("sourceRef") || spec.get_key("targetNamespace"))
            add(Effect::What::respecify, root);
    }

    void read_documents(const YamlText& yaml) {
        for (const YamlDocument& document : yaml.documents)
            read(NodeRef(&yaml, document.root));
    }
};

bool may_matter(std::string_view text) {
    for (std::string_view part : {"$patch", "/metadata", "/spec", "sourceRef", "targetNamespace", "path:"})
        if (text.find(part) != std::string_view::npos) return true;
    return false;
}

void read_file_patch(const Index& index, std::string_view dir, const Patch& patch, PatchFiles& files, Effects& made) {
    const std::optional<std::string> path =
        is_known(patch.path) ? join_path(dir, patch.path.text) : std::optional<std::string>();
    const std::optional<FileId> id = path ? index.tree->find(*path) : std::optional<FileId>();
    if (!id || index.tree->files[*id].state != FileState::read) {
        made.gaps.push_back({ClosureGap::Why::patch, patch.path.place});
        return;
    }
    const auto [known, fresh] = files.try_emplace(*id);
    const std::string& text = index.tree->files[*id].text;
    if (fresh && may_matter(text)) known->second = parse_yaml(text);
    PatchReader{made, patch, patch.path.place}.read_documents(known->second);
}

void read_inline_patch(const Index& index, const Patch& patch, Effects& made) {
    const std::string_view text = index.tree->files[patch.inline_text.file].text;
    const Span slice = patch.inline_text.span;
    if (!may_matter(text.substr(slice.begin, slice.end - slice.begin))) return;
    const YamlText yaml = parse_yaml_slice(text, slice, patch.indent);
    PatchReader reader{made, patch, patch.inline_text};
    const NodeRef root = yaml.documents.empty() ? NodeRef() : NodeRef(&yaml, yaml.documents.front().root);
    if (!root.is_scalar()) return reader.read_documents(yaml);
    const std::string inner(root.text()); // a quoted scalar: the patch is what it says
    reader.read_documents(parse_yaml(inner));
}

bool is_one_of(const std::string& wanted, const Cell& now, const Cell& written) {
    return wanted.empty() || now.state == State::templated || now.text == wanted || written.text == wanted;
}

} // namespace

Effects effects_of(const Index& index, std::string_view dir, const std::vector<Patch>& patches, PatchFiles& files) {
    Effects made;
    for (const Patch& patch : patches) {
        if (is_set(patch.path))
            read_file_patch(index, dir, patch, files, made);
        else if (is_there(patch.inline_text))
            read_inline_patch(index, patch, made);
    }
    return made;
}

bool reaches(const Index& index, const Effect& effect, const Applied& applied) {
    static const Cell none;
    const Object* object = applied.object == no_entity ? nullptr : &index.objects[applied.object];
    if (!effect.kind.empty() && effect.kind != kind_of(index, applied)) return false;
    if (!is_one_of(effect.name, applied.name, object ? object->name : none)) return false;
    return !is_set(applied.ns) || is_one_of(effect.ns, applied.ns, object ? object->ns : none);
}

} // namespace lockstep

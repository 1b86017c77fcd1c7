// Goes over the objects of the index that are Flux's, then over the patches that stand inside kustomizations.
#include "checks/flux_objects.h"
#include "checks/patch_set.h"
#include "index/cells.h"
#include "index/relations.h"

namespace lockstep {
namespace {

constexpr std::string_view flux_groups = ".toolkit.fluxcd.io";

// Kinds that no other tool has: a patch may name them without their group.
bool is_only_flux(std::string_view kind) {
    for (std::string_view one : {"HelmRelease", "GitRepository", "OCIRepository", "HelmRepository", "ImagePolicy",
                                 "ImageRepository", "ImageUpdateAutomation"})
        if (kind == one) return true;
    return false;
}

std::string group_of_kind(const FluxKnowledge& knowledge, std::string_view kind) {
    for (std::string_view group : {"helm", "source", "image"})
        if (const std::string full = std::string(group) + std::string(flux_groups);
            !knowledge.versions(full, kind).empty())
            return full;
    return {};
}

// `{{ if }}kind: A{{ else }}kind: B{{ end }}`: which fields belong to which of them nobody can tell.
bool has_several_kinds(NodeRef root) {
    int kinds = 0, versions = 0;
    for (const NodeRef::Entry& entry : root.entries()) {
        kinds += entry.key.text() == "kind";
        versions += entry.key.text() == "apiVersion";
    }
    return kinds > 1 || versions > 1;
}

} // namespace

const TemplateGuards* FluxObjects::guards_of(const Object& object) {
    if (!object.in_templates) return nullptr;
    const auto found = guards_.find(object.file);
    if (found != guards_.end()) return &found->second;
    return &guards_.emplace(object.file, TemplateGuards(input_.repository.tree->files[object.file].text)).first->second;
}

void FluxObjects::each(const Visit& visit) {
    const Index& index = input_.repository.index;
    for (const Object& object : index.objects) {
        if (!is_known(object.kind) || !is_known(object.api_version) || !object.group.ends_with(flux_groups)) continue;
        FluxObject one;
        one.group = object.group;
        one.version = object.version;
        one.kind = object.kind.text;
        one.api = knowledge_.api(one.group, one.version, one.kind);
        one.subject = subject_of(index, object);
        one.place = object.api_version.place;
        one.file = object.file;
        one.declared = !object.as_patch && !object.partial;
        one.guards = guards_of(object);
        if (!only_headers) {
            const NodeRef root = nodes_.root(object);
            one.spec = node_at(root, {"spec"});
            one.several_kinds = object.in_templates && has_several_kinds(root);
        }
        visit(one, pinned_.of_object(object));
    }
    if (only_headers) return;
    for (const Kustomization& kustomization : index.kustomizations)
        if (!kustomization.embedded) visit_inline(kustomization.patches, kustomization.file, visit);
    for (const FluxKustomization& kustomization : index.flux_kustomizations)
        visit_inline(kustomization.patches, index.objects[kustomization.object].file, visit);
}

void FluxObjects::visit_inline(const std::vector<Patch>& patches, FileId owner, const Visit& visit) {
    std::vector<Patch> texts;
    for (const Patch& patch : patches)
        if (is_there(patch.inline_text) && !patch.json6902) texts.push_back(patch);
    if (texts.empty()) return;
    const PatchSet set = read_patch_set(input_.repository, nodes_, {}, texts);
    for (const Change& change : set.changes) {
        if (change.operations || change.vague) continue;
        FluxObject one;
        const NodeRef kind = change.root.get("kind").resolved(), api = change.root.get("apiVersion").resolved();
        const GroupVersion written = split_api_version(api.text());
        one.kind = is_known(change.patch->target_kind) ? change.patch->target_kind.text : std::string(kind.text());
        one.group = is_known(change.patch->target_group) ? change.patch->target_group.text : std::string(written.group);
        if (!one.group.ends_with(flux_groups) && is_only_flux(one.kind))
            one.group = group_of_kind(knowledge_, one.kind);
        one.version = written.version;
        one.api = knowledge_.api(one.group, one.version, one.kind);
        const auto& versions = knowledge_.versions(one.group, one.kind);
        if (versions.empty()) continue;
        one.guessed_version = !one.api;
        if (!one.api) one.api = versions.back();
        one.file = owner;
        one.place = change.whole;
        one.placed = change.placed;
        one.spec = node_at(change.root, {"spec"});
        one.subject = input_.repository.tree->files[owner].path + "#patch/" + one.kind + "/" +
                      std::string(node_at(change.root, {"metadata", "name"}).text());
        visit(one, pinned_.of_file(owner));
    }
}

bool is_not_served(const FluxKnowledge& knowledge, const FluxApi& api, const FluxPin& pin) {
    if (!api.gone.empty() && knowledge.has(pin.version, api.gone) == Known::yes) return true;
    return !pin.open && knowledge.has(pin.version, api.served) == Known::no;
}

} // namespace lockstep

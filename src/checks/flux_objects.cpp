// Goes over the objects of the index that are Flux's.
#include "checks/flux_objects.h"
#include "deploy/identities.h"
#include "index/cells.h"
#include "index/relations.h"
#include "index/text_search.h"

namespace lockstep {
namespace {

constexpr std::string_view flux_groups = ".toolkit.fluxcd.io";

// `{{ if }}kind: A{{ else }}kind: B{{ end }}`: which fields belong to which of them nobody can tell.
bool has_several_kinds(const Value* root) {
    int kinds = 0, versions = 0;
    for (std::size_t i = 0; root && root->is_mapping() && i < root->size(); ++i) {
        kinds += root->key_at(i)->text == "kind";
        versions += root->key_at(i)->text == "apiVersion";
    }
    return kinds > 1 || versions > 1;
}

} // namespace

const TemplateGuards* FluxObjects::guards_of(const Object& object) {
    if (!object.in_templates) return nullptr;
    const auto found = guards_.find(object.file);
    if (found != guards_.end()) return &found->second;
    return &guards_.emplace(object.file, TemplateGuards(input_.repository.tree->indexed_text(object.file)))
                .first->second;
}

void FluxObjects::each(const Visit& visit) {
    const Index& index = input_.repository.index;
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (!is_known(object.kind) || !is_known(object.api_version) || !object.group.ends_with(flux_groups)) continue;
        const auto instances = fleet_.of_object(id);
        if (instances.empty() && (object.as_patch || object.partial)) continue; // part of what it is merged into
        FluxObject one;
        one.group = object.group;
        one.version = object.version();
        one.kind = object.kind.text;
        one.api = knowledge_.api(one.group, one.version, one.kind);
        one.subject = subject_of(index, object);
        one.place = object.api_version.place;
        one.file = object.file;
        one.guards = guards_of(object);
        const Pinned pinned = pinned_.of_object(object);
        auto show = [&](const Value* tree) {
            one.spec = value_at(tree, {"spec"});
            one.several_kinds = object.in_templates && has_several_kinds(tree);
            visit(one, pinned);
        };
        if (only_headers) {
            visit(one, pinned);
            continue;
        }
        Arena arena;
        bool as_written = instances.empty();
        for (std::uint32_t number : instances) {
            const Instance& instance = fleet_.instances[number];
            const Root& root = fleet_.root_of(instance);
            if (instance.resource.patches || root.variables || root.by == Root::By::release)
                show(fleet_.tree_of(instance, arena));
            else
                as_written = true;
        }
        if (as_written && may_matter && !object.in_templates &&
            !may_matter(object, document_text(*input_.repository.tree, object)))
            visit(one, pinned);
        else if (as_written)
            show(fleet_.declared_tree(id, arena));
    }
    each_rendered(visit);
}

// Those of releases that no template shows as they are: their kind or version is filled in, or an include makes them.
void FluxObjects::each_rendered(const Visit& visit) {
    const Index& index = input_.repository.index;
    for (const Instance& instance : fleet_.instances) {
        const Root& root = fleet_.root_of(instance);
        if (root.by != Root::By::release || root.certainty != Certainty::proven) continue;
        if (!instance.id().group.ends_with(flux_groups)) continue;
        if (const Object* object = instance.object == no_entity ? nullptr : &index.objects[instance.object];
            object && is_known(object->kind) && is_known(object->api_version) && object->group.ends_with(flux_groups))
            continue;
        const EntityId release = fleet_.instances[root.maker].object;
        if (release == no_entity) continue;
        Arena arena;
        const Value* tree = fleet_.tree_of(instance, arena);
        const Cell api_version = cell_at(tree, {"apiVersion"});
        if (!is_known(api_version)) continue;
        FluxObject one;
        one.group = instance.id().group;
        one.version = instance.id().version;
        one.kind = instance.id().kind;
        one.api = knowledge_.api(one.group, one.version, one.kind);
        one.subject = subject_of(index, instance);
        one.place = api_version.place;
        one.file = api_version.place.file;
        one.spec = value_at(tree, {"spec"});
        visit(one, pinned_.of_object(index.objects[release]));
    }
}

bool is_not_served(const FluxKnowledge& knowledge, const FluxApi& api, const FluxPin& pin) {
    if (!api.gone.empty() && knowledge.has(pin.version, api.gone) == Known::yes) return true;
    return !pin.open && knowledge.has(pin.version, api.served) == Known::no;
}

} // namespace lockstep

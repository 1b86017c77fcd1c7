// Goes over the objects of the index that are Flux's.
#include "deploy/flux_objects.h"
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

bool has_header(const FluxObject& one, const Instance& instance) {
    return one.group == instance.id().group && one.version == instance.id().version && one.kind == instance.id().kind;
}

} // namespace

FluxObject FluxObjects::rendered(FluxObject one, const Instance& instance, const Value* tree) const {
    one.group = instance.id().group;
    one.version = instance.id().version;
    one.kind = instance.id().kind;
    one.api = knowledge_.api(one.group, one.version, one.kind);
    if (const Cell version = cell_at(tree, {"apiVersion"}); is_known(version)) one.place = version.place;
    one.file = one.place.file;
    one.spec = value_at(tree, {"spec"});
    return one;
}

const TemplateGuards* FluxObjects::guards_of(const Object& object) {
    if (!object.in_templates) return nullptr;
    const auto found = guards_.find(object.file);
    if (found != guards_.end()) return &found->second;
    return &guards_.emplace(object.file, TemplateGuards(repository_.tree->indexed_text(object.file))).first->second;
}

void FluxObjects::each(const Visit& visit) {
    const Index& index = repository_.index;
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
        Arena arena;
        bool as_written = instances.empty();
        for (std::uint32_t number : instances) {
            const Instance& instance = fleet_.instances[number];
            const Root& root = fleet_.root_of(instance);
            const bool other = root.is_rendered() && !has_header(one, instance); // a condition chose another branch
            if (other)
                visit(rendered(one, instance, fleet_.tree_of(instance, arena)), pinned);
            else if (!only_headers && (instance.resource.patches || root.variables || root.is_rendered()))
                show(fleet_.tree_of(instance, arena));
            else
                as_written = true;
            // Whoever installs the chart may switch on what its own values leave out.
            if (root.by == Root::By::chart && !other) as_written = true;
        }
        if (only_headers) {
            if (as_written) visit(one, pinned);
            continue;
        }
        if (as_written && may_matter && !object.in_templates &&
            !may_matter(object, document_text(*repository_.tree, object)))
            visit(one, pinned);
        else if (as_written)
            show(fleet_.declared_tree(id, arena));
    }
    each_rendered(visit);
}

// Those of charts that no template shows as they are: their kind or version is filled in, or an include makes them.
void FluxObjects::each_rendered(const Visit& visit) {
    const Index& index = repository_.index;
    for (const Instance& instance : fleet_.instances) {
        const Root& root = fleet_.root_of(instance);
        const bool released = root.by == Root::By::release && root.certainty == Certainty::proven;
        if (!released && (root.by != Root::By::chart || root.certainty == Certainty::possible)) continue;
        if (!instance.id().group.ends_with(flux_groups)) continue;
        if (const Object* object = instance.object == no_entity ? nullptr : &index.objects[instance.object];
            object && is_known(object->kind) && is_known(object->api_version) && object->group.ends_with(flux_groups))
            continue;
        const EntityId release = released ? fleet_.instances[root.maker].object : no_entity;
        if (released && release == no_entity) continue;
        Arena arena;
        const Value* tree = fleet_.tree_of(instance, arena);
        if (!is_known(cell_at(tree, {"apiVersion"}))) continue;
        FluxObject one;
        one.subject = subject_of(index, instance);
        visit(rendered(std::move(one), instance, tree),
              released ? pinned_.of_object(index.objects[release]) : pinned_.of_chart(root.chart));
    }
}

bool is_not_served(const FluxKnowledge& knowledge, const FluxApi& api, const FluxPin& pin) {
    if (!api.gone.empty() && knowledge.has(pin.version, api.gone) == Known::yes) return true;
    return !pin.open && knowledge.has(pin.version, api.served) == Known::no;
}

} // namespace lockstep

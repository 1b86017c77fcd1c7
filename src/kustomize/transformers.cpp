// Namespace, prefix, suffix, labels, annotations, replicas.
#include "kustomize/transformers.h"
#include "kustomize/field_walk.h"
#include "kustomize/ids.h"
#include "kustomize/loader.h"
#include "kustomize/tree_edit.h"
#include <algorithm>
#include <unordered_map>

namespace lockstep {
namespace {

bool is_role_binding(std::string_view kind) {
    return kind == "RoleBinding" || kind == "ClusterRoleBinding";
}

FieldSetter namespace_setter(const NamespaceArgs& args, Place by) {
    return [&args, by](Value& node) -> std::string {
        if (args.unset_only && node.is_scalar() && !node.is_null() && !node.text.empty()) return {};
        return set_scalar(node, args.ns, "!!str", by);
    };
}

std::string set_subjects(Value& tree, const NamespaceArgs& args, Arena& arena, Place by) {
    Value* subjects = tree.get("subjects");
    if (args.subjects == NamespaceArgs::Subjects::none || !subjects || subjects->is_null()) return {};
    if (!subjects->is_sequence())
        return "setting namespace on (cluster)role binding subjects: " + wrong_kind(*subjects, NodeKind::sequence);
    const bool by_name = args.subjects == NamespaceArgs::Subjects::default_only;
    for (Value* subject : subjects->items()) {
        if (!subject->is_mapping()) continue;
        if (by_name ? subject->text_of("name") != "default" : subject->text_of("kind") != "ServiceAccount") continue;
        Value* ns = subject->get("namespace");
        if (args.unset_only && ns && ns->is_scalar() && !ns->is_null() && !ns->text.empty()) continue;
        set_entry(*subject, "namespace", args.ns, "!!str", arena, by);
    }
    return {};
}

std::string edit_namespace(Value& tree, const NamespaceArgs& args, Arena& arena, Place by) {
    const ResourceId id = id_of(tree);
    const bool core = tree.text_of("apiVersion") == "v1";
    const FieldSetter setter = namespace_setter(args, by);
    const FieldCreation creation{true, NodeKind::scalar, "!!str"};
    if (!is_cluster_scoped(id)) {
        const FieldRow row{{}, "metadata/namespace", true};
        if (std::string error = walk_field(tree, row, creation, arena, setter); !error.empty()) return error;
    }
    const std::string kind(id.kind);
    if (is_role_binding(kind))
        if (std::string error = set_subjects(tree, args, arena, by); !error.empty()) return error;
    for (const FieldRow& row : args.rows) {
        if (row.path == "metadata/namespace" || (!core && row.path == "metadata/name")) continue;
        if (is_role_binding(kind) && is_role_binding(row.of.kind) && row.path == "subjects/namespace") continue;
        if (std::string error = walk_field(tree, row, creation, arena, setter); !error.empty())
            return "namespace transformation failed: " + error;
    }
    return {};
}

bool keeps_its_name(const ResourceId& id) { // kinds whose names are fixed by what they stand for
    return id.kind == "CustomResourceDefinition" || id.kind == "Namespace" ||
           (id.kind == "APIService" && id.group == "apiregistration.k8s.io");
}

} // namespace

TreeOperation tree_change(Place by, std::function<std::string(Value& tree, Arena& arena)> edit) {
    return [by, edit = std::move(edit)](TreeWork& work) {
        std::string error = edit(*work.tree, work.arena);
        if (error.empty()) return true;
        work.error = {std::move(error), by};
        return false;
    };
}

void BuildContext::store_previous_id(Resource& resource) const {
    resource.earlier = work.arena.make<EarlierId>(resource.earlier, effective_namespace(resource.id), resource.id.name,
                                                  resource.id.kind);
}

Failure transform_namespace(const BuildContext& context, Resources& resources, const NamespaceArgs& given, Place by) {
    if (given.ns.empty()) return {};
    auto args = std::make_shared<NamespaceArgs>(given);
    const TreeOperation* change = context.work.add(
        tree_change(by, [args, by](Value& tree, Arena& arena) { return edit_namespace(tree, *args, arena, by); }));
    std::unordered_map<std::size_t, const Resource*> seen;
    Failure conflict;
    for (Resource& resource : resources) {
        context.store_previous_id(resource);
        const bool core = resource.id.group.empty() && resource.id.version == "v1";
        if (!is_cluster_scoped(resource.id) && (!args->unset_only || resource.id.ns.empty())) resource.id.ns = args->ns;
        for (const FieldRow& row : args->rows)
            if (core && row.path == "metadata/name" && !args->unset_only &&
                row.of.selects(resource.id.group, resource.id.version, resource.id.kind))
                resource.id.name = args->ns;
        context.add_change(resource, change);
        const auto [first, fresh] = seen.emplace(hash_of(resource.id), &resource);
        if (fresh || conflict) continue;
        conflict = failure("namespace transformation produces ID conflict: [" + to_string(resource.id) + "]", by);
        conflict->kind = BuildError::Kind::twice;
        conflict->document = resource.document;
        conflict->first_document = first->second->document;
        conflict->first_entry = first->second->entry;
        conflict->id = resource.id;
    }
    return conflict;
}

Failure transform_names(const BuildContext& context, Resources& resources, std::string_view affix, bool prefix,
                        const FieldRows& rows, Place by) {
    std::vector<const TreeOperation*> changes;
    for (const FieldRow& row : rows)
        changes.push_back(context.work.add(tree_change(by, [row, affix, prefix, by](Value& tree, Arena& arena) {
            const FieldCreation creation{true, NodeKind::scalar, "!!str"};
            return walk_field(tree, row, creation, arena, [&](Value& node) -> std::string {
                if (!node.is_scalar()) return wrong_kind(node, NodeKind::scalar);
                const std::string old(node.text), add(affix);
                return set_scalar(node, arena.keep(prefix ? add + old : old + add), {}, by);
            });
        })));
    for (Resource& resource : resources) {
        const ResourceId original = original_id(resource);
        if (keeps_its_name(original)) continue;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!rows[i].of.selects(original.group, original.version, original.kind)) continue;
            if (rows[i].path == "metadata/name" && !affix.empty()) {
                const Affix*& list = prefix ? resource.prefixes : resource.suffixes;
                list = context.arena().make<Affix>(list, affix);
                context.store_previous_id(resource);
                const std::string old(resource.id.name), add(affix);
                resource.id.name = context.arena().keep(prefix ? add + old : old + add);
            }
            context.add_change(resource, changes[i]);
        }
    }
    return {};
}

void transform_pairs(const BuildContext& context, Resources& resources, const Value& pairs, FieldRows rows) {
    if (!pairs.is_mapping() || pairs.count == 0) return;
    std::vector<std::size_t> order(pairs.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return pairs.key_at(a)->text < pairs.key_at(b)->text; });
    const Place by = pairs.place;
    const TreeOperation* change = context.work.add(
        tree_change(by, [rows = std::move(rows), order = std::move(order), &pairs](Value& tree, Arena& arena) {
            const FieldCreation creation{true, NodeKind::mapping, "!!map"};
            for (const std::size_t i : order) {
                const Value& key = *pairs.key_at(i);
                const Value& value = *pairs.value_at(i);
                const std::string_view text = value.is_null() ? std::string_view() : value.text;
                std::string error = walk_fields(tree, rows, creation, arena, [&](Value& node) -> std::string {
                    if (!node.is_mapping()) return wrong_kind(node, NodeKind::mapping);
                    set_entry(node, key.text, text, "!!str", arena, value.place);
                    return {};
                });
                if (!error.empty()) return error;
            }
            return std::string();
        }));
    const Value* local = pairs.get(local_config_mark);
    for (Resource& resource : resources) {
        context.add_change(resource, change);
        if (local) resource.local_config = resource.local_config || local->text != "false";
    }
}

Failure transform_replicas(const BuildContext& context, Resources& resources, std::string_view name,
                           std::string_view count, const FieldRows& rows, Place by) {
    bool found = false;
    for (const FieldRow& row : rows) {
        const TreeOperation* change = nullptr;
        for (Resource& resource : resources) {
            const auto matches = [&](const ResourceId& id) {
                return id.name == name && row.of.selects(id.group, id.version, id.kind);
            };
            bool any = matches(resource.id);
            for (const EarlierId* one = resource.earlier; one && !any; one = one->before)
                any = matches({resource.id.group, resource.id.version, one->kind, one->ns, one->name});
            if (!any) continue;
            found = true;
            if (!change)
                change = context.work.add(tree_change(by, [row, count, by](Value& tree, Arena& arena) {
                    const FieldCreation creation{true, NodeKind::scalar, "!!int"};
                    return walk_field(tree, row, creation, arena, [&](Value& node) -> std::string {
                        if (std::string error = set_scalar(node, count, "!!int", by); !error.empty()) return error;
                        return {};
                    });
                }));
            context.add_change(resource, change);
        }
    }
    if (found) return {};
    std::string kinds;
    for (const FieldRow& row : rows)
        kinds += (kinds.empty() ? "" : " ") + kind_text({row.of.group, row.of.version, row.of.kind, {}, {}});
    return not_found("resource with name " + std::string(name) + " does not match a config with the following GVK [" +
                         kinds + "]",
                     by);
}

} // namespace lockstep

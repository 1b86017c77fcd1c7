// Edits of trees.
#include "kustomize/tree_edit.h"
#include "kustomize/ids.h"
#include "yaml/emit.h"
#include "yaml/scalar_type.h"
#include <algorithm>

namespace lockstep {

ResourceId id_of(const Value& object) {
    ResourceId id;
    split_api_version(object.text_of("apiVersion"), id.group, id.version);
    id.kind = object.text_of("kind");
    if (const Value* metadata = object.get("metadata")) {
        id.name = metadata->text_of("name");
        id.ns = metadata->text_of("namespace");
    }
    return id;
}

std::string wrong_kind(const Value& node, NodeKind wanted) {
    const auto name = [](NodeKind kind) {
        return kind == NodeKind::mapping ? "MappingNode" : kind == NodeKind::sequence ? "SequenceNode" : "ScalarNode";
    };
    std::string contents;
    emit_yaml(node, contents);
    return std::string("wrong node kind: expected ") + name(wanted) + " but got " + name(node.kind) +
           ": node contents:\n" + contents;
}

std::string set_scalar(Value& node, std::string_view text, std::string_view tag, Place by) {
    if (!node.is_scalar()) return wrong_kind(node, NodeKind::scalar);
    node.text = text;
    node.tag = tag.empty() ? (node.style == NodeStyle::plain ? resolved_tag(text) : "!!str") : tag;
    node.tagged = false;
    node.unknown = false;
    node.changed_by = by;
    return {};
}

void set_entry(Value& mapping, std::string_view key, std::string_view text, std::string_view tag, Arena& arena,
               Place by) {
    if (Value* field = mapping.get(key)) {
        if (!field->is_scalar()) {
            const Place place = field->place;
            *field = Value{};
            field->place = place;
        }
        set_scalar(*field, text, tag, by);
        return;
    }
    Value* value = make_scalar(arena, text, tag.empty() ? resolved_tag(text) : tag);
    value->changed_by = by;
    value->place = by;
    Value* name = make_text(arena, key);
    name->place = by;
    append_entry(mapping, name, value, arena);
}

Value& child_mapping(Value& mapping, std::string_view key, Arena& arena) {
    Value* child = mapping.get(key);
    if (!child) {
        child = make_mapping(arena);
        append_entry(mapping, make_text(arena, key), child, arena);
    } else if (!child->is_mapping()) {
        const Place place = child->place;
        *child = *make_mapping(arena);
        child->place = place;
    }
    return *child;
}

StringPairs string_pairs(const Value* mapping) {
    StringPairs pairs;
    if (!mapping || !mapping->is_mapping()) return pairs;
    for (std::size_t i = 0; i < mapping->size(); ++i)
        pairs.emplace_back(mapping->key_at(i)->text, mapping->value_at(i)->text);
    return pairs;
}

const Value* metadata_map(const Value& object, std::string_view name) {
    const Value* metadata = object.get("metadata");
    return metadata ? metadata->get(name) : nullptr;
}

void set_name(Value& object, std::string_view name, Arena& arena) {
    set_entry(child_mapping(object, "metadata", arena), "name", name, "!!str", arena, {});
}

void set_namespace(Value& object, std::string_view ns, Arena& arena) {
    Value& metadata = child_mapping(object, "metadata", arena);
    if (ns.empty())
        erase(metadata, "namespace");
    else
        set_entry(metadata, "namespace", ns, "!!str", arena, {});
}

void set_annotation(Value& object, std::string_view key, std::string_view text, Arena& arena) {
    set_entry(child_mapping(child_mapping(object, "metadata", arena), "annotations", arena), key, text, "!!str", arena,
              {});
}

void restring_map(Value& object, std::string_view name, Arena& arena) {
    Value& metadata = child_mapping(object, "metadata", arena);
    Value* map = metadata.get(name);
    if (!map) return;
    if (!map->is_mapping() || map->count == 0) {
        erase(metadata, name);
        return;
    }
    for (std::size_t i = 0; i < map->size(); ++i) {
        Value& value = *map->value_at(i);
        if (value.is_string()) continue;
        if (!value.is_scalar()) {
            value.kind = NodeKind::scalar;
            value.count = value.room = 0;
            value.text = {};
        }
        value.style = NodeStyle::plain;
        value.tag = "!!str";
        value.tagged = false;
    }
}

} // namespace lockstep

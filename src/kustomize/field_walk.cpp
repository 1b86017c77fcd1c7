// The walk of field specs.
#include "kustomize/field_walk.h"
#include "kustomize/ids.h"
#include "kustomize/tree_edit.h"

namespace lockstep {
namespace {

struct Walk {
    const FieldRow& row;
    const FieldCreation& creation;
    Arena& arena;
    const FieldSetter& set_value;
    const std::vector<std::string>& path;

    std::string at(Value& node, std::size_t depth) const {
        if (depth == path.size()) return set_value(node);
        if (node.is_null()) return {};
        if (node.is_sequence()) {
            for (Value* item : node.items())
                if (std::string error = at(*item, depth); !error.empty()) {
                    std::string rest;
                    for (std::size_t i = depth; i < path.size(); ++i)
                        rest += (i > depth ? " " : "") + path[i];
                    return "visit traversal on path: [" + rest + "]: " + error;
                }
            return {};
        }
        if (!node.is_mapping()) return "expected sequence or mapping node";
        return in_mapping(node, depth);
    }

    std::string in_mapping(Value& node, std::size_t depth) const {
        std::string_view name = path[depth];
        const bool list = name.ends_with("[]");
        if (list) name.remove_suffix(2);
        if (name.empty()) return "cannot set or create an empty field name";
        const bool last = depth + 1 == path.size();
        const bool create = row.create && creation.any && !list;
        Value* field = node.get(name);
        const NodeKind kind = list ? NodeKind::sequence : last ? creation.kind : NodeKind::mapping;
        const std::string_view tag = list ? "!!seq" : last ? creation.tag : "!!map";
        if (!field) {
            if (!create) return {};
            field = make_missing(kind, last ? creation.tag : "!!map");
            append_entry(node, make_text(arena, name), field, arena);
        } else if (field->is_null() && (create || list)) {
            field->kind = kind;
            field->tag = kind == NodeKind::scalar ? tag : kind == NodeKind::mapping ? "!!map" : "!!seq";
            if (kind != NodeKind::scalar) field->style = NodeStyle::block;
        }
        return at(*field, depth + 1);
    }

    Value* make_missing(NodeKind kind, std::string_view tag) const {
        if (kind == NodeKind::mapping) return make_mapping(arena);
        if (kind == NodeKind::sequence) return make_sequence(arena);
        return make_scalar(arena, "", tag.empty() ? "" : "");
    }
};

} // namespace

std::vector<std::string> split_path(std::string_view path, char delimiter) {
    std::vector<std::string> parts;
    std::vector<std::string_view> raw;
    std::size_t begin = 0;
    while (true) {
        const std::size_t end = path.find(delimiter, begin);
        raw.push_back(path.substr(begin, end == std::string_view::npos ? end : end - begin));
        if (end == std::string_view::npos) break;
        begin = end + 1;
    }
    if (raw.size() > 1 && raw.front().empty()) raw.erase(raw.begin());
    for (std::string_view part : raw) {
        if (!parts.empty() && parts.back().ends_with('\\')) {
            parts.back().back() = delimiter;
            parts.back() += part;
        } else
            parts.emplace_back(part);
    }
    return parts;
}

std::string walk_field(Value& object, const FieldRow& row, const FieldCreation& creation, Arena& arena,
                       const FieldSetter& set_value) {
    std::string_view group, version;
    split_api_version(object.text_of("apiVersion"), group, version);
    if (!row.of.selects(group, version, object.text_of("kind"))) return {};
    const std::vector<std::string> path = split_path(row.path, '/');
    const Walk walk{row, creation, arena, set_value, path};
    std::string error = walk.at(object, 0);
    if (error.empty()) return {};
    return "considering field '" + row.path + "' of object " + to_string(id_of(object)) + ": " + error;
}

std::string walk_fields(Value& object, const FieldRows& rows, const FieldCreation& creation, Arena& arena,
                        const FieldSetter& set_value) {
    for (const FieldRow& row : rows)
        if (std::string error = walk_field(object, row, creation, arena, set_value); !error.empty()) return error;
    return {};
}

} // namespace lockstep

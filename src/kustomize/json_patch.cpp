// RFC 6902.
#include "kustomize/json_patch.h"
#include "yaml/scalar_type.h"
#include <charconv>
#include <optional>

namespace lockstep {
namespace {

std::vector<std::string> tokens_of(std::string_view path) {
    std::vector<std::string> tokens;
    std::size_t begin = 1;
    while (begin <= path.size()) {
        std::size_t end = path.find('/', begin);
        if (end == std::string_view::npos) end = path.size();
        std::string token;
        for (std::size_t i = begin; i < end; ++i) {
            if (path[i] == '~' && i + 1 < end && (path[i + 1] == '0' || path[i + 1] == '1'))
                token += path[++i] == '0' ? '~' : '/';
            else
                token += path[i];
        }
        tokens.push_back(std::move(token));
        begin = end + 1;
    }
    return tokens;
}

std::optional<std::ptrdiff_t> index_of(std::string_view token, std::size_t size) {
    std::ptrdiff_t index = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
    if (error != std::errc() || end != token.data() + token.size()) return std::nullopt;
    if (index < 0) index += static_cast<std::ptrdiff_t>(size);
    if (index < 0) return std::nullopt;
    return index;
}

Value* child_of(Value& value, const std::string& token) {
    if (value.is_mapping()) return value.get(token);
    if (!value.is_sequence()) return nullptr;
    const auto index = index_of(token, value.count);
    return index ? value.at(static_cast<std::size_t>(*index)) : nullptr;
}

struct Applier {
    Value& tree;
    Arena& arena;

    Value* find(const std::vector<std::string>& tokens, std::size_t count) const {
        Value* at = &tree;
        for (std::size_t i = 0; i < count && at; ++i)
            at = child_of(*at, tokens[i]);
        return at;
    }

    static std::string missing(std::string_view op, std::string_view what, std::string_view path) {
        return std::string(op) + " operation does not apply: doc is missing " + std::string(what) + ": " +
               std::string(path) + ": missing value";
    }

    std::string add(std::string_view path, const Value& value, std::string_view op) const {
        const std::vector<std::string> tokens = tokens_of(path);
        if (tokens.empty()) {
            tree = *clone(value, arena);
            return {};
        }
        Value* parent = find(tokens, tokens.size() - 1);
        if (!parent || parent->is_scalar()) return missing(op, "path", "\"" + std::string(path) + "\"");
        Value* copy = clone(value, arena);
        if (parent->is_mapping()) {
            if (const std::ptrdiff_t at = parent->find(tokens.back()); at >= 0)
                parent->children[2 * at + 1] = copy;
            else {
                Value* key = make_text(arena, tokens.back());
                key->place = value.place;
                append_entry(*parent, key, copy, arena);
            }
            return {};
        }
        if (tokens.back() == "-") {
            append(*parent, copy, arena);
            return {};
        }
        std::ptrdiff_t index = 0;
        const std::string& token = tokens.back();
        const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
        if (error != std::errc() || end != token.data() + token.size())
            return std::string(op) + " operation does not apply: error in add for path: '" + std::string(path) +
                   "': value was not a proper array index: '" + token + "'";
        const auto size = static_cast<std::ptrdiff_t>(parent->count);
        if (index < 0) index += size + 1;
        if (index > size || index < 0)
            return std::string(op) + " operation does not apply: error in add for path: '" + std::string(path) +
                   "': Unable to access invalid index: " + token + ": invalid index referenced";
        insert(*parent, static_cast<std::size_t>(index), copy, arena);
        return {};
    }

    std::string remove(std::string_view path, std::string_view op) const {
        const std::vector<std::string> tokens = tokens_of(path);
        Value* parent = tokens.empty() ? nullptr : find(tokens, tokens.size() - 1);
        if (!parent || parent->is_scalar()) return missing(op, "path", "\"" + std::string(path) + "\"");
        if (parent->is_mapping()) {
            if (!erase(*parent, tokens.back()))
                return std::string(op) + " operation does not apply: error in remove for path: '" + std::string(path) +
                       "': Unable to remove nonexistent key: " + tokens.back() + ": missing value";
            return {};
        }
        const auto index = index_of(tokens.back(), parent->count);
        if (!index || *index >= static_cast<std::ptrdiff_t>(parent->count))
            return std::string(op) + " operation does not apply: error in remove for path: '" + std::string(path) +
                   "': Unable to access invalid index: " + tokens.back() + ": invalid index referenced";
        erase_at(*parent, static_cast<std::size_t>(*index));
        return {};
    }

    std::string replace(std::string_view path, const Value& value) const {
        const std::vector<std::string> tokens = tokens_of(path);
        if (tokens.empty()) {
            tree = *clone(value, arena);
            return {};
        }
        Value* parent = find(tokens, tokens.size() - 1);
        if (!parent || parent->is_scalar()) return missing("replace", "path", path);
        Value* old = child_of(*parent, tokens.back());
        // json-patch 4, which kustomize and Flux are made with, adds what a mapping lacks; 5, in Debian's, refuses it.
        if (!old && parent->is_mapping()) return add(path, value, "replace");
        if (!old) return missing("replace", "key", path);
        *old = *clone(value, arena);
        return {};
    }

    std::string test(std::string_view path, const Value* value) const {
        const std::vector<std::string> tokens = tokens_of(path);
        Value* found = find(tokens, tokens.size());
        const bool none = !value || value->is_null();
        if (found ? (found->is_null() ? none : !none && equal_json(*found, *value)) : none) return {};
        return "testing path " + std::string(path) + " value failed: test failed";
    }

    static bool equal_json(const Value& a, const Value& b) {
        if (a.kind != b.kind || a.count != b.count) return false;
        if (a.is_scalar()) return a.tag == b.tag && a.text == b.text;
        if (a.is_mapping()) {
            for (std::size_t i = 0; i < a.size(); ++i) {
                const Value* other = b.get(a.key_at(i)->text);
                if (!other || !equal_json(*a.value_at(i), *other)) return false;
            }
            return true;
        }
        for (std::uint32_t i = 0; i < a.count; ++i)
            if (!equal_json(*a.children[i], *b.children[i])) return false;
        return true;
    }

    std::string apply(const JsonOperation& operation) const {
        const std::vector<std::string> from = tokens_of(operation.from);
        Value none;
        none.text = "null";
        none.tag = "!!null";
        const Value& value = operation.value ? *operation.value : none;
        if (operation.op == "add") return add(operation.path, value, "add");
        if (operation.op == "remove") return remove(operation.path, "remove");
        if (operation.op == "replace") return replace(operation.path, value);
        if (operation.op == "test") return test(operation.path, operation.value);
        if (operation.op == "move" || operation.op == "copy") {
            const Value* source = find(from, from.size());
            if (!source) return missing(operation.op, "path", operation.from);
            const Value* copy = clone(*source, arena);
            if (operation.op == "move")
                if (std::string error = remove(operation.from, "move"); !error.empty()) return error;
            return add(operation.path, *copy, operation.op);
        }
        return "Unexpected kind: " + std::string(operation.op);
    }
};

void mark(Value& value, Place by) {
    value.changed_by = by;
    for (Value* child : value.all())
        mark(*child, by);
}

} // namespace

void read_as_v2(Value& value) {
    for (Value* child : value.all())
        read_as_v2(*child);
    if (!value.is_scalar() || value.style != NodeStyle::plain || value.tagged) return;
    for (std::string_view yes : {"y", "Y", "yes", "Yes", "YES", "on", "On", "ON"})
        if (value.text == yes) value.text = "true", value.tag = "!!bool";
    for (std::string_view no : {"n", "N", "no", "No", "NO", "off", "Off", "OFF"})
        if (value.text == no) value.text = "false", value.tag = "!!bool";
    if (value.tag == "!!timestamp") value.tag = "!!str";
}

std::string make_json(Value& tree, Arena& arena) {
    if (tree.is_scalar()) {
        const JsonScalar scalar = json_scalar(tree);
        if (scalar.type == JsonType::bad) return scalar.made;
        tree.text = scalar.made.empty() ? scalar.text : arena.keep(scalar.made);
        tree.tagged = false;
        tree.style = scalar.type == JsonType::text ? NodeStyle::double_quoted : NodeStyle::plain;
        tree.tag = scalar.type == JsonType::text ? "!!str" : resolved_tag(tree.text);
        return {};
    }
    if (tree.is_mapping())
        for (std::size_t i = 0; i < tree.size(); ++i) {
            tree.key_at(i)->tag = "!!str";
            if (std::string error = make_json(*tree.value_at(i), arena); !error.empty()) return error;
        }
    for (Value* item : tree.items())
        if (std::string error = make_json(*item, arena); !error.empty()) return error;
    return {};
}

void make_json_v2(Value& tree, Arena& arena) {
    read_as_v2(tree);
    make_json(tree, arena);
}

std::string read_json_patch(const Value& operations, std::vector<JsonOperation>& out) {
    for (const Value* one : operations.items()) {
        if (!one->is_mapping()) return "json: cannot unmarshal into Go value of type jsonpatch.Operation";
        JsonOperation operation{one->text_of("op"), one->text_of("path"), one->text_of("from"), one->get("value"),
                                one->place};
        out.push_back(operation);
    }
    return {};
}

bool changes_identity(const std::vector<JsonOperation>& operations) {
    for (const JsonOperation& one : operations) {
        if (one.op == "test") continue;
        for (std::string_view path : {one.path, one.op == "move" ? one.from : std::string_view("/spec")}) {
            if (path.empty() || path == "/metadata" || path == "/kind" || path == "/apiVersion") return true;
            if (path == "/metadata/name" || path == "/metadata/namespace" || path == "/metadata/annotations" ||
                path.starts_with("/metadata/annotations/config.kubernetes.io"))
                return true;
        }
    }
    return false;
}

std::string apply_json_patch(Value& tree, const std::vector<JsonOperation>& operations, Arena& arena) {
    if (std::string error = make_json(tree, arena); !error.empty()) return error;
    const Applier applier{tree, arena};
    for (const JsonOperation& one : operations) {
        JsonOperation marked = one;
        if (one.value) {
            Value* value = clone(*one.value, arena);
            mark(*value, one.place);
            marked.value = value;
        }
        if (std::string error = applier.apply(marked); !error.empty()) return error;
    }
    return {};
}

} // namespace lockstep

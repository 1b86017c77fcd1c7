// RFC 6902.
#include "kustomize/json_patch.h"
#include "yaml/scalar_type.h"
#include <algorithm>
#include <charconv>

namespace lockstep {
namespace {

constexpr std::string_view missing_value = ": missing value";

// `~1` is a slash, `~0` a tilde.
std::string unescaped(std::string_view part) {
    std::string out;
    for (std::size_t i = 0; i < part.size(); ++i)
        if (part[i] == '~' && i + 1 < part.size() && (part[i + 1] == '0' || part[i + 1] == '1'))
            out += part[++i] == '0' ? '~' : '/';
        else
            out += part[i];
    return out;
}

// What strconv.Atoi reads; nothing where it fails.
std::optional<std::ptrdiff_t> number_of(std::string_view text) {
    std::ptrdiff_t number = 0;
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::string no_number(std::string_view text) {
    return "strconv.Atoi: parsing \"" + std::string(text) + "\": invalid syntax";
}

std::string invalid_index(std::ptrdiff_t index) {
    return "Unable to access invalid index: " + std::to_string(index) + ": invalid index referenced";
}

// The position of an item that is there; from the end on where it is negative. Else an error.
std::string index_of(std::string_view key, std::size_t size, std::size_t& index) {
    const auto number = number_of(key);
    if (!number) return no_number(key);
    const auto count = static_cast<std::ptrdiff_t>(size);
    if (*number >= count || *number < -count) return invalid_index(*number);
    index = static_cast<std::size_t>(*number < 0 ? *number + count : *number);
    return {};
}

// A mapping or a list, and the name of what is meant in it.
struct Spot {
    Value* in = nullptr; // nullptr: nothing leads there
    std::string key;

    // What is there, nullptr for nothing and for null; an error where a list has no such item.
    std::string get(Value*& found) const {
        found = nullptr;
        if (in->is_mapping())
            found = in->get(key);
        else {
            std::size_t index = 0;
            if (std::string error = index_of(key, in->count, index); !error.empty()) return error;
            found = in->at(index);
        }
        if (found && found->is_null()) found = nullptr;
        return {};
    }

    std::string add(Value* value, Arena& arena) const {
        if (in->is_mapping()) {
            if (const std::ptrdiff_t at = in->find(key); at >= 0) {
                in->children[2 * at + 1] = value;
                return {};
            }
            Value* name = make_text(arena, key);
            name->place = value->place;
            name->changed_by = value->changed_by;
            append_entry(*in, name, value, arena);
            return {};
        }
        auto index = static_cast<std::ptrdiff_t>(in->count);
        if (key != "-") {
            const auto number = number_of(key);
            if (!number) return "value was not a proper array index: '" + key + "': " + no_number(key);
            if (*number > index || *number < -index - 1) return invalid_index(*number);
            index = *number < 0 ? *number + index + 1 : *number;
        }
        insert(*in, static_cast<std::size_t>(index), value, arena);
        return {};
    }

    std::string set(Value* value, Arena& arena) const {
        if (in->is_mapping()) return add(value, arena);
        std::size_t index = 0;
        if (std::string error = index_of(key, in->count, index); !error.empty()) return error;
        in->children[index] = value;
        return {};
    }

    std::string remove() const {
        if (in->is_mapping())
            return erase(*in, key) ? "" : "Unable to remove nonexistent key: " + key + std::string(missing_value);
        std::size_t index = 0;
        if (std::string error = index_of(key, in->count, index); !error.empty()) return error;
        erase_at(*in, index);
        return {};
    }
};

bool equal_json(const Value& a, const Value& b) {
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

// One operation, with the words and habits of json-patch 4, which kustomize and Flux are made with. Debian's kustomize
// has 5, which also refuses to replace what is not there and to add without a value.
struct Applier {
    Value& tree;
    Arena& arena;

    // What is before the first slash does not count, and a path without one leads nowhere.
    Spot find(std::string_view path) const {
        std::size_t begin = path.find('/');
        if (begin == std::string_view::npos) return {};
        Value* at = &tree;
        for (std::size_t end = 0; (end = path.find('/', ++begin)) != std::string_view::npos; begin = end) {
            const std::string part = unescaped(path.substr(begin, end - begin));
            Value* next = nullptr;
            if (!Spot{at, part}.get(next).empty() || !next || next->is_scalar()) return {};
            at = next;
        }
        return {at, unescaped(path.substr(begin))};
    }

    std::string add(const JsonOperation& one, Value* value) const {
        if (!one.path) return "add operation failed to decode path" + std::string(missing_value);
        const std::string path(*one.path);
        const Spot spot = find(path);
        if (!spot.in)
            return "add operation does not apply: doc is missing path: \"" + path + "\"" + std::string(missing_value);
        const std::string error = spot.add(value, arena);
        return error.empty() ? error : "error in add for path: '" + path + "': " + error;
    }

    std::string remove(const JsonOperation& one) const {
        if (!one.path) return "remove operation failed to decode path" + std::string(missing_value);
        const std::string path(*one.path);
        const Spot spot = find(path);
        if (!spot.in)
            return "remove operation does not apply: doc is missing path: \"" + path + "\"" +
                   std::string(missing_value);
        const std::string error = spot.remove();
        return error.empty() ? error : "error in remove for path: '" + path + "': " + error;
    }

    std::string replace(const JsonOperation& one, Value* value) const {
        if (!one.path) return no_path("replace");
        const std::string path(*one.path);
        if (path.empty()) {
            if (!value->is_scalar()) tree = *value; // what is neither is passed over
            return {};
        }
        const std::string refused = "replace operation does not apply: doc is missing ";
        const Spot spot = find(path);
        if (!spot.in) return refused + "path: " + path + std::string(missing_value);
        Value* old = nullptr;
        if (!spot.get(old).empty()) return refused + "key: " + path + std::string(missing_value);
        return spot.set(value, arena);
    }

    std::string test(const JsonOperation& one) const {
        if (!one.path) return no_path("test");
        const std::string path(*one.path);
        const std::string failed = "testing value " + path + " failed: test failed";
        Value* found = &tree;
        if (!path.empty()) {
            const Spot spot = find(path);
            if (!spot.in) return "test operation does not apply: is missing path: " + path + std::string(missing_value);
            if (std::string error = spot.get(found); !error.empty())
                return "error in test for path: '" + path + "': " + error;
        }
        const bool none = !one.value || one.value->is_null();
        return (found ? !none && equal_json(*found, *one.value) : none) ? "" : failed;
    }

    std::string copy_or_move(const JsonOperation& one, bool move) const {
        const std::string op(one.op);
        if (!one.from) return op + " operation failed to decode from: operation, missing from field: missing value";
        const std::string from(*one.from);
        const std::string refused = op + " operation does not apply: doc is missing ";
        const Spot source = find(from);
        if (!source.in) return refused + "from path: " + from + std::string(missing_value);
        Value* value = nullptr;
        std::string error = source.get(value);
        if (!value) value = make_null(arena);
        if (move && error.empty()) error = source.remove();
        if (!error.empty())
            return (move ? "error in move for path: '" + source.key : "error in copy for from: '" + from) +
                   "': " + error;
        if (!one.path) return move ? no_path("move") : "copy operation failed to decode path: missing value";
        const std::string path(*one.path);
        const Spot spot = find(path);
        if (!spot.in) return refused + "destination path: " + path + std::string(missing_value);
        error = spot.add(move ? value : clone(*value, arena), arena);
        if (error.empty()) return {};
        return (move ? "error in move for path: '" + path + "': " : "error while adding value during copy: ") + error;
    }

    static std::string no_path(const std::string& op) {
        return op + " operation failed to decode path: operation missing path field: missing value";
    }

    std::string apply(const JsonOperation& one) const {
        Value* value = one.value ? clone(*one.value, arena) : make_null(arena);
        if (!one.value) value->place = one.place;
        mark_changed(*value, one.place);
        if (one.op == "add") return add(one, value);
        if (one.op == "remove") return remove(one);
        if (one.op == "replace") return replace(one, value);
        if (one.op == "test") return test(one);
        if (one.op == "move" || one.op == "copy") return copy_or_move(one, one.op == "move");
        return "Unexpected kind: " + std::string(one.op);
    }
};

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
    const auto text = [](const Value& one, std::string_view key) {
        const Value* field = one.get(key);
        return field && field->is_string() ? std::optional(field->text) : std::nullopt;
    };
    for (const Value* one : operations.items()) {
        if (!one->is_mapping() && !one->is_null())
            return "json: cannot unmarshal into Go value of type jsonpatch.Operation";
        out.push_back({text(*one, "op").value_or("unknown"), text(*one, "path"), text(*one, "from"), one->get("value"),
                       one->place});
    }
    return {};
}

bool changes_identity(const std::vector<JsonOperation>& operations) {
    for (const JsonOperation& one : operations) {
        if (one.op == "test") continue;
        for (std::string_view path : {one.path.value_or("/spec"), one.from.value_or("/spec")}) {
            if (path.empty()) return true;
            path.remove_prefix(std::min(path.find('/'), path.size())); // what is before it does not count
            if (path == "/metadata" || path == "/kind" || path == "/apiVersion") return true;
            if (path == "/metadata/name" || path == "/metadata/namespace" || path == "/metadata/annotations" ||
                path.starts_with("/metadata/annotations/config.kubernetes.io"))
                return true;
        }
    }
    return false;
}

PatchProblem apply_json_patch(Value& tree, const std::vector<JsonOperation>& operations, Arena& arena) {
    if (std::string error = make_json(tree, arena); !error.empty()) return {error, {}};
    PatchProblem first;
    const Applier applier{tree, arena};
    for (const JsonOperation& one : operations)
        if (std::string error = applier.apply(one); !error.empty() && first.message.empty())
            first = {std::move(error), one.place};
    return first;
}

} // namespace lockstep

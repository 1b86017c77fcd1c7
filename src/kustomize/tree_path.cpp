// Follows field paths.
#include "kustomize/tree_path.h"
#include "base/pattern.h"
#include "kustomize/documents.h"
#include "kustomize/field_walk.h"
#include "kustomize/tree_edit.h"
#include <algorithm>
#include <charconv>

namespace lockstep {
namespace {

bool is_number(std::string_view part) {
    return !part.empty() && std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_list_index(std::string_view part) {
    return part.size() >= 2 && part.front() == '[' && part.back() == ']';
}

bool split_index(std::string_view part, std::string& name, std::string& value, std::string& error) {
    const std::string_view inner = part.substr(1, part.size() - 2);
    const std::size_t equals = inner.find('=');
    if (equals == std::string_view::npos) {
        error = "list path element must contain fieldName=fieldValue for element to match";
        return false;
    }
    name = inner.substr(0, equals);
    value = inner.substr(equals + 1);
    return true;
}

NodeKind kind_of_part(std::string_view next, NodeKind last) {
    if (next.empty()) return last;
    if (is_list_index(next) || is_number(next) || next == "*" || next == "-") return NodeKind::sequence;
    return NodeKind::mapping;
}

Value* make_kind(NodeKind kind, Arena& arena) {
    if (kind == NodeKind::mapping) return make_mapping(arena);
    if (kind == NodeKind::sequence) return make_sequence(arena);
    return make_scalar(arena, "", "");
}

class Matcher {
public:
    Matcher(const std::vector<std::string>& path, PathCreation creation, Arena& arena, std::string& error)
        : path_(path), creation_(creation), arena_(arena), error_(error) {}

    void match(Value& node, std::size_t depth) {
        if (!error_.empty()) return;
        if (depth == path_.size()) {
            found.push_back(&node);
            return;
        }
        const std::string& part = path_[depth];
        if (is_number(part)) return by_number(node, depth);
        if (is_list_index(part)) return by_value(node, depth);
        if (part == "*") {
            if (!node.is_sequence()) return fail(wrong_kind(node, NodeKind::sequence));
            for (Value* item : node.items())
                match(*item, depth + 1);
            return;
        }
        by_field(node, depth);
    }

    std::vector<Value*> found;

private:
    void fail(std::string why) {
        if (error_.empty()) error_ = std::move(why);
    }

    NodeKind next_kind(std::size_t depth) const {
        return kind_of_part(depth + 1 < path_.size() ? std::string_view(path_[depth + 1]) : std::string_view(),
                            creation_.kind);
    }

    void by_field(Value& node, std::size_t depth) {
        if (node.is_null()) return;
        if (!node.is_mapping()) return fail(wrong_kind(node, NodeKind::mapping));
        Value* field = node.get(path_[depth]);
        if (!field) {
            if (!creation_.any) return;
            field = make_kind(next_kind(depth), arena_);
            append_entry(node, make_text(arena_, path_[depth]), field, arena_);
        }
        if (field->is_scalar() && depth + 1 < path_.size()) return in_text(*field, depth);
        match(*field, depth + 1);
    }

    // YAML inside a text: nodes are found there, though what is set in them is lost, as it is with kustomize.
    void in_text(const Value& field, std::size_t depth) {
        if (field.is_null()) return;
        Value* inner = load_first(field.text, no_file, arena_, error_);
        if (inner && error_.empty()) match(*inner, depth + 1);
    }

    void by_number(Value& node, std::size_t depth) {
        if (!node.is_sequence()) return fail(wrong_kind(node, NodeKind::sequence));
        std::size_t index = 0;
        std::from_chars(path_[depth].data(), path_[depth].data() + path_[depth].size(), index);
        if (index == node.count && creation_.any) append(node, make_kind(next_kind(depth), arena_), arena_);
        if (index >= node.count)
            return fail("index " + std::to_string(index) + " specified but only " + std::to_string(node.count) +
                        " elements found");
        match(*node.at(index), depth + 1);
    }

    void by_value(Value& node, std::size_t depth) {
        std::string name, value;
        if (!split_index(path_[depth], name, value, error_)) return;
        if (!node.is_sequence()) return fail(wrong_kind(node, NodeKind::sequence));
        const auto pattern = Pattern::compile(value, linted_pattern_memory);
        if (!pattern) return fail("error parsing regexp: " + pattern.error().message);
        const std::size_t before = found.size();
        for (int round = 0; round < 2; ++round) {
            for (Value* item : std::vector<Value*>(node.items().begin(), node.items().end())) {
                const Value* field = name.empty() ? item : item->get(name);
                if (!field || !field->is_scalar() || !pattern->occurs_in(field->text)) continue;
                if (name.empty())
                    found.push_back(item);
                else
                    match(*item, depth + 1);
            }
            if (found.size() > before || !creation_.any || round > 0 || !error_.empty()) return;
            Value* text = make_scalar(arena_, arena_.keep(value), resolved_tag(value));
            Value* item = text;
            if (!name.empty()) {
                item = make_mapping(arena_);
                append_entry(*item, make_text(arena_, name), text, arena_);
            }
            append(node, item, arena_);
        }
    }

    const std::vector<std::string>& path_;
    PathCreation creation_;
    Arena& arena_;
    std::string& error_;
};

} // namespace

std::vector<std::string> split_field_path(std::string_view path) {
    std::vector<std::string> out;
    const std::vector<std::string> parts = split_path(path, '.');
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i].starts_with('[') || parts[i].ends_with(']')) {
            out.push_back(parts[i]);
            continue;
        }
        std::string joined = parts[i];
        while (i + 1 < parts.size()) {
            joined += "." + parts[++i];
            if (parts[i].ends_with(']')) break;
        }
        if (joined.find('=') == std::string::npos) {
            joined.erase(0, joined.find_first_not_of("[]"));
            joined.erase(joined.find_last_not_of("[]") + 1);
        }
        out.push_back(joined);
    }
    return out;
}

Value* look_up(Value& root, const std::vector<std::string>& path, std::string& error) {
    Value* at = &root;
    for (const std::string& part : path) {
        if (part.empty()) continue;
        if (is_number(part) || part == "-") {
            if (!at->is_sequence()) {
                error = wrong_kind(*at, NodeKind::sequence);
                return nullptr;
            }
            std::size_t index = at->count;
            if (part == "-")
                index = at->count == 0 ? 0 : at->count - 1;
            else
                std::from_chars(part.data(), part.data() + part.size(), index);
            at = at->at(index);
        } else if (part == "*") {
            error = "wildcard is not supported in PathGetter";
            return nullptr;
        } else if (is_list_index(part)) {
            std::string name, value;
            if (!split_index(part, name, value, error)) return nullptr;
            if (!at->is_sequence()) {
                error = wrong_kind(*at, NodeKind::sequence);
                return nullptr;
            }
            Value* found = nullptr;
            for (Value* item : at->items()) {
                const Value* field = name.empty() ? item : item->get(name);
                if (field && field->is_scalar() && field->text == value) {
                    found = item;
                    break;
                }
            }
            at = found;
        } else {
            if (!at->is_mapping()) {
                error = wrong_kind(*at, NodeKind::mapping);
                return nullptr;
            }
            at = at->get(part);
        }
        if (!at || at->is_null()) return nullptr;
    }
    return at;
}

std::vector<Value*> match_path(Value& root, const std::vector<std::string>& path, PathCreation creation, Arena& arena,
                               std::string& error) {
    Matcher matcher(path, creation, arena, error);
    matcher.match(root, 0);
    return std::move(matcher.found);
}

} // namespace lockstep

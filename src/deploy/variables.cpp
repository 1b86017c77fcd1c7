// Suppliers of variables, and what a text becomes with them.
#include "deploy/variables.h"
#include "base/base64.h"
#include "index/cells.h"
#include "yaml/parse.h"
#include <algorithm>

namespace lockstep {
namespace {

std::string without_breaks(std::string_view text) {
    std::string made(text);
    std::erase(made, '\n');
    return made;
}

Datum datum_of(std::string_view key, const Value& value, std::optional<std::string> text) {
    const bool known = text && !value.unknown && !text->starts_with("ENC[");
    return {std::string(key), known ? std::move(*text) : std::string(), value.place, known};
}

void supply(PostBuild& made, const Datum& datum) {
    made.supplied.insert_or_assign(datum.key, Supplied{without_breaks(datum.text), datum.place, datum.known});
}

// How go-yaml writes a text of one line: as it is, unless that would read as something else.
bool is_written_plain(std::string_view text) {
    if (text.empty() || text.front() == ' ' || text.back() == ' ' || text.back() == ':') return false;
    if (std::string_view("-?:,[]{}#&*!|>'\"%@`").find(text.front()) != std::string_view::npos) return false;
    if (text.find(": ") != std::string_view::npos || text.find(" #") != std::string_view::npos) return false;
    return text.find_first_of("\n\t\r") == std::string_view::npos && resolved_tag(text) == "!!str";
}

// A text that reads as one plain scalar wherever it is.
bool is_simple(std::string_view text) {
    return !text.empty() && text.find_first_of(":#[]{}\"'&*!|>%@,`?\n") == std::string_view::npos &&
           text.front() != ' ' && text.back() != ' ' && text.front() != '-';
}

void set_text(Value& value, std::string_view text, std::string_view tag) {
    value.kind = NodeKind::scalar;
    value.text = text;
    value.tag = tag;
    value.tagged = false;
}

class Texts {
public:
    Texts(Arena& arena, const PostBuild& variables) : arena_(arena), variables_(variables) {}

    void fill(Value& value, int depth) {
        if (depth > 1000) return;
        if (!value.is_scalar()) {
            for (Value* child : value.all())
                fill(*child, depth + 1);
            return;
        }
        if (value.text.find('$') == std::string_view::npos) return;
        const bool plain = is_written_plain(value.text);
        const Variables look = [&](std::string_view name) { return variables_.look(name); };
        const Substituted made = substitute(value.text, look, false); // strict Flux refuses it all: a rule says so
        if (!made.error.empty()) {                                    // Flux refuses the whole object
            value.unknown = true;
            return;
        }
        if (made.text == value.text && made.unknown.empty()) return;
        for (const std::string& name : made.used)
            if (const Place place = variables_.place_of(name); is_there(place)) value.changed_by = place;
        if (!made.unknown.empty()) { // the expression stays, so that people see what is not known
            value.unknown = true;
            return;
        }
        const std::string_view text = arena_.keep(made.text);
        if (!plain) return set_text(value, text, "!!str");
        value.style = NodeStyle::plain;
        if (is_simple(text)) return set_text(value, text, resolved_tag(text));
        read_again(value, text);
    }

private:
    // A list, a mapping, a quoted text or a comment in a variable counts as one.
    void read_again(Value& value, std::string_view text) {
        const YamlText yaml = parse_yaml(text);
        const bool whole = yaml.problems.empty() && yaml.documents.size() == 1 && yaml.documents[0].root != no_node;
        Value* made = whole ? value_of(NodeRef(&yaml, yaml.documents[0].root), value.place.file, arena_) : nullptr;
        if (!made) return set_text(value, text, text.empty() ? "!!null" : "!!str");
        const Place place = value.place, by = value.changed_by;
        assign(value, *made);
        set_places(value, place, by);
    }
    static void set_places(Value& value, Place place, Place by) {
        value.place = place;
        value.changed_by = by;
        for (Value* child : value.all())
            set_places(*child, place, by);
    }

    Arena& arena_;
    const PostBuild& variables_;
};

bool says_no(const Value& tree, std::string_view map) {
    return cell_at(&tree, {"metadata", map, "kustomize.toolkit.fluxcd.io/substitute"}).text == "disabled";
}

} // namespace

Variable PostBuild::look(std::string_view name) const {
    const auto found = supplied.find(name);
    if (found == supplied.end()) return {open ? Variable::Is::unknown : Variable::Is::unset, {}};
    if (!found->second.known) return {Variable::Is::unknown, {}};
    return {Variable::Is::set, found->second.value};
}

Place PostBuild::place_of(std::string_view name) const {
    const auto found = supplied.find(name);
    return found == supplied.end() ? Place{} : found->second.place;
}

std::vector<Datum> data_of(const Value* object, bool secret) {
    std::vector<Datum> found;
    for (std::string_view map : {"data", "stringData"}) {
        const Value* data = object ? object->get(map) : nullptr;
        if (!data || !data->is_mapping() || (!secret && map == "stringData")) continue;
        for (std::size_t i = 0; i < data->size(); ++i) {
            const Value& value = *data->value_at(i);
            if (!value.is_scalar()) continue;
            found.push_back(
                datum_of(data->key_at(i)->text, value,
                         secret && map == "data" ? from_base64(value.text) : std::optional(std::string(value.text))));
        }
    }
    return found;
}

void supply_from(const Value* object, bool secret, PostBuild& made) {
    for (const Datum& datum : data_of(object, secret))
        supply(made, datum);
}

void supply_inline(const Value* substitute, PostBuild& made) {
    if (!substitute || !substitute->is_mapping()) return;
    for (std::size_t i = 0; i < substitute->size(); ++i)
        if (const Value& value = *substitute->value_at(i); value.is_scalar())
            supply(made, datum_of(substitute->key_at(i)->text, value, std::string(value.is_null() ? "" : value.text)));
}

void substitute_tree(Value& tree, Arena& arena, const PostBuild& variables) {
    if (says_no(tree, "annotations") || says_no(tree, "labels")) return;
    Texts(arena, variables).fill(tree, 0);
}

void add_metadata(Value& tree, Arena& arena, std::string_view map, const Value* pairs) {
    if (!pairs || !pairs->is_mapping() || pairs->size() == 0) return;
    Value* metadata = tree.get("metadata");
    if (!metadata || !metadata->is_mapping()) return;
    Value* target = metadata->get(map);
    if (!target || !target->is_mapping()) target = set(*metadata, map, make_mapping(arena), arena);
    for (std::size_t i = 0; i < pairs->size(); ++i) {
        Value* value = set(*target, pairs->key_at(i)->text, clone(*pairs->value_at(i), arena), arena);
        value->changed_by = value->place;
    }
}

} // namespace lockstep

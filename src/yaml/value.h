// A YAML tree that can be changed: what kustomize, Helm and Flux make of documents. Made from a node table by
// value_of, or by hand; all of it is in an arena. Every node knows the bytes it came from and what changed it last.
#pragma once
#include "yaml/arena.h"
#include "yaml/node.h"
#include "yaml/path.h"
#include <optional>
#include <span>

namespace lockstep {

struct ValueComments {
    std::string_view head, line, foot;
};

struct Value {
    NodeKind kind = NodeKind::scalar; // never an alias
    NodeStyle style = NodeStyle::plain;
    bool unknown = false; // the text depends on something that is not known offline
    bool tagged = false;  // the tag is written in the file
    std::uint32_t count = 0, room = 0;
    std::string_view tag;  // short and never empty: `!!str`, `!!int`, `!!null`, `!!map`, `!custom`
    std::string_view text; // of a scalar, decoded
    Place place;           // file == no_file: made by a tool, not written anywhere
    Place changed_by;      // the patch, transformer entry or substitution that set it last; file == no_file: none
    const ValueComments* comments = nullptr;
    Value** children = nullptr; // of a mapping: key, value, key, value

    bool is_scalar() const { return kind == NodeKind::scalar; }
    bool is_mapping() const { return kind == NodeKind::mapping; }
    bool is_sequence() const { return kind == NodeKind::sequence; }
    bool is_null() const { return is_scalar() && tag == "!!null"; }
    bool is_string() const { return is_scalar() && tag == "!!str"; }

    std::size_t size() const { return is_mapping() ? count / 2 : count; } // entries of a mapping, items of a list
    Value* key_at(std::size_t index) const { return children[2 * index]; }
    Value* value_at(std::size_t index) const { return children[2 * index + 1]; }
    Value* at(std::size_t index) const { return is_sequence() && index < count ? children[index] : nullptr; }
    std::span<Value* const> items() const { return is_sequence() ? all() : std::span<Value* const>(); }
    std::span<Value* const> all() const { return {children, count}; }
    // Position of the entry with this key (a mapping) or -1; the value under it or nullptr.
    std::ptrdiff_t find(std::string_view key) const;
    Value* get(std::string_view key) const;
    Value* get_key(std::string_view key) const;
    std::string_view text_of(std::string_view key) const; // text of a scalar under this key; empty for anything else
};

// Making and changing. New nodes have no place unless the caller sets one.
Value* make_text(Arena& arena, std::string_view text); // `!!str`; the text is kept by the arena
Value* make_scalar(Arena& arena, std::string_view text, std::string_view tag,
                   NodeStyle style = NodeStyle::plain); // text and tag must outlive the arena
Value* make_null(Arena& arena);
Value* make_mapping(Arena& arena);
Value* make_sequence(Arena& arena);
Value* clone(const Value& value, Arena& arena); // the whole subtree; texts are shared
void assign(Value& to, const Value& from);      // `to` becomes `from`: kind, text, children (shared), places
void append(Value& sequence, Value* item, Arena& arena);
void insert(Value& sequence, std::size_t index, Value* item, Arena& arena);
void erase_at(Value& sequence, std::size_t index);
void append_entry(Value& mapping, Value* key, Value* value, Arena& arena);
Value* set(Value& mapping, std::string_view key, Value* value, Arena& arena); // replaces or appends; returns `value`
bool erase(Value& mapping, std::string_view key);
void mark_changed(Value& value, Place by);  // the whole subtree
bool equal(const Value& a, const Value& b); // by kind, tag and text, in order; styles and places do not count

// What a plain text is to go-yaml 3: `!!str`, `!!int`, `!!float`, `!!bool`, `!!null`, `!!timestamp`, `!!merge`.
std::string_view resolved_tag(std::string_view plain_text);

struct ValueLimits {
    std::size_t nodes = 2'000'000; // after aliases are expanded
};
// The tree of a parsed node, aliases and merge keys expanded as kyaml does. nullptr, with the reason in `error`, when
// an alias leads nowhere or expanding takes more nodes than the limit. Texts that are bytes of the file stay views into
// it; decoded ones are kept by the arena.
Value* value_of(NodeRef node, FileId file, Arena& arena, std::string* error = nullptr, const ValueLimits& limits = {});

// The path language of path.h over these trees.
struct ValueMatch {
    Value* key = nullptr; // nullptr for an item of a list
    Value* value = nullptr;
};
std::vector<ValueMatch> find(const YamlPath& path, Value* root);
std::optional<ValueMatch> find_first(const YamlPath& path, Value* root);

} // namespace lockstep

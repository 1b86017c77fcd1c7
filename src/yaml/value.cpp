// Changing trees: entries, items, copies.
#include "yaml/value.h"

namespace lockstep {
namespace {

void make_room(Value& value, std::uint32_t more, Arena& arena) {
    if (value.count + more <= value.room) return;
    const std::uint32_t room = std::max<std::uint32_t>(value.room * 2, value.count + more + 2);
    Value** children = arena.make_array<Value*>(room);
    for (std::uint32_t i = 0; i < value.count; ++i)
        children[i] = value.children[i];
    value.children = children;
    value.room = room;
}

Value* make_collection(Arena& arena, NodeKind kind, std::string_view tag) {
    Value* value = arena.make<Value>();
    value->kind = kind;
    value->style = NodeStyle::block;
    value->tag = tag;
    return value;
}

} // namespace

std::ptrdiff_t Value::find(std::string_view key) const {
    if (!is_mapping()) return -1;
    for (std::uint32_t i = 0; i < count; i += 2)
        if (children[i]->text == key && children[i]->is_scalar()) return i / 2;
    return -1;
}

Value* Value::get(std::string_view key) const {
    const std::ptrdiff_t index = find(key);
    return index < 0 ? nullptr : value_at(static_cast<std::size_t>(index));
}

Value* Value::get_key(std::string_view key) const {
    const std::ptrdiff_t index = find(key);
    return index < 0 ? nullptr : key_at(static_cast<std::size_t>(index));
}

std::string_view Value::text_of(std::string_view key) const {
    const Value* value = get(key);
    return value && value->is_scalar() ? value->text : std::string_view();
}

Value* make_text(Arena& arena, std::string_view text) {
    return make_scalar(arena, arena.keep(text), "!!str");
}

Value* make_scalar(Arena& arena, std::string_view text, std::string_view tag, NodeStyle style) {
    Value* value = arena.make<Value>();
    value->text = text;
    value->tag = tag;
    value->style = style;
    return value;
}

Value* make_null(Arena& arena) {
    return make_scalar(arena, "null", "!!null");
}

Value* make_mapping(Arena& arena) {
    return make_collection(arena, NodeKind::mapping, "!!map");
}

Value* make_sequence(Arena& arena) {
    return make_collection(arena, NodeKind::sequence, "!!seq");
}

Value* clone(const Value& value, Arena& arena) {
    Value* copy = arena.make<Value>(value);
    if (value.count > 0) {
        copy->children = arena.make_array<Value*>(value.count);
        copy->room = value.count;
        for (std::uint32_t i = 0; i < value.count; ++i)
            copy->children[i] = clone(*value.children[i], arena);
    }
    return copy;
}

void assign(Value& to, const Value& from) {
    to = from;
}

void append(Value& sequence, Value* item, Arena& arena) {
    make_room(sequence, 1, arena);
    sequence.children[sequence.count++] = item;
}

void insert(Value& sequence, std::size_t index, Value* item, Arena& arena) {
    append(sequence, item, arena);
    for (std::size_t i = sequence.count - 1; i > index; --i)
        std::swap(sequence.children[i], sequence.children[i - 1]);
}

void erase_at(Value& sequence, std::size_t index) {
    for (std::size_t i = index; i + 1 < sequence.count; ++i)
        sequence.children[i] = sequence.children[i + 1];
    --sequence.count;
}

void append_entry(Value& mapping, Value* key, Value* value, Arena& arena) {
    make_room(mapping, 2, arena);
    mapping.children[mapping.count++] = key;
    mapping.children[mapping.count++] = value;
}

Value* set(Value& mapping, std::string_view key, Value* value, Arena& arena) {
    const std::ptrdiff_t index = mapping.find(key);
    if (index >= 0)
        mapping.children[2 * index + 1] = value;
    else
        append_entry(mapping, make_text(arena, key), value, arena);
    return value;
}

bool erase(Value& mapping, std::string_view key) {
    const std::ptrdiff_t index = mapping.find(key);
    if (index < 0) return false;
    for (std::uint32_t i = 2 * static_cast<std::uint32_t>(index); i + 2 < mapping.count; ++i)
        mapping.children[i] = mapping.children[i + 2];
    mapping.count -= 2;
    return true;
}

void mark_changed(Value& value, Place by) {
    value.changed_by = by;
    for (Value* child : value.all())
        mark_changed(*child, by);
}

bool equal(const Value& a, const Value& b) {
    if (a.kind != b.kind || a.count != b.count) return false;
    if (a.is_scalar()) return a.text == b.text && a.tag == b.tag;
    for (std::uint32_t i = 0; i < a.count; ++i)
        if (!equal(*a.children[i], *b.children[i])) return false;
    return true;
}

} // namespace lockstep

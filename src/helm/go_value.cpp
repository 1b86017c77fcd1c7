// Making, changing and comparing the values of go_value.h.
#include "helm/go_value.h"
#include <algorithm>
#include <unordered_set>

namespace lockstep {

GoEntry* GoMap::find(std::string_view key) const {
    GoEntry* end = entries + size;
    GoEntry* at = std::lower_bound(entries, end, key, [](const GoEntry& e, std::string_view k) { return e.key < k; });
    return at != end && at->key == key ? at : nullptr;
}

GoValue make_bool(bool value) {
    GoValue made;
    made.type = GoType::boolean;
    made.boolean = value;
    return made;
}

GoValue make_int(std::int64_t value, GoType type) {
    GoValue made;
    made.type = type;
    made.integer = value;
    return made;
}

GoValue make_float(double value) {
    GoValue made;
    made.type = GoType::float64;
    made.number = value;
    return made;
}

GoValue make_text(ValueArena& arena, GoText text, const ValueOrigin* origin) {
    GoValue made;
    made.type = GoType::string;
    made.text = arena.make<GoText>(text);
    made.origin = origin;
    return made;
}

GoValue make_string(ValueArena& arena, std::string_view text, const ValueOrigin* origin) {
    return make_text(arena, {arena.copy(text), {}}, origin);
}

GoValue make_nil(const ValueOrigin* origin) {
    GoValue made;
    made.type = GoType::nil;
    made.origin = origin;
    return made;
}

GoValue make_list(ValueArena& arena, GoType type, std::size_t room) {
    GoValue made;
    made.type = type;
    made.list = arena.make<GoList>();
    if (room > 0) {
        made.list->items = arena.array<GoValue>(room);
        made.list->room = static_cast<std::uint32_t>(room);
    }
    return made;
}

GoValue make_map(ValueArena& arena, GoType type) {
    GoValue made;
    made.type = type;
    made.map = arena.make<GoMap>();
    return made;
}

GoValue make_struct(const GoStruct* object) {
    GoValue made;
    made.type = GoType::object;
    made.object = object;
    return made;
}

void push(ValueArena& arena, GoList& list, GoValue value) {
    if (list.size == list.room) {
        list.room = std::max(4U, list.room * 2);
        GoValue* grown = arena.array<GoValue>(list.room);
        std::copy_n(list.items, list.size, grown);
        list.items = grown;
    }
    list.items[list.size++] = value;
}

GoEntry& put(ValueArena& arena, GoMap& map, std::string_view key, GoValue value, const ValueOrigin* key_origin) {
    GoEntry* end = map.entries + map.size;
    GoEntry* at =
        map.size > 0 && end[-1].key < key
            ? end
            : std::lower_bound(map.entries, end, key, [](const GoEntry& e, std::string_view k) { return e.key < k; });
    if (at != end && at->key == key) {
        at->value = value;
        if (key_origin != nullptr) at->key_origin = key_origin;
        return *at;
    }
    const auto index = static_cast<std::size_t>(at - map.entries);
    if (map.size == map.room) {
        map.room = std::max(4U, map.room * 2);
        GoEntry* grown = arena.array<GoEntry>(map.room);
        std::copy_n(map.entries, map.size, grown);
        map.entries = grown;
    }
    std::copy_backward(map.entries + index, map.entries + map.size, map.entries + map.size + 1);
    map.entries[index] = {key, key_origin, value};
    ++map.size;
    return map.entries[index];
}

void remove(GoMap& map, std::string_view key) {
    GoEntry* found = map.find(key);
    if (found == nullptr) return;
    std::copy(found + 1, map.entries + map.size, found);
    --map.size;
}

namespace {
constexpr int deepest_value = 500; // a map that holds itself ends here
}

GoValue deep_copy(ValueArena& arena, const GoValue& value, int depth) {
    if (depth > deepest_value || arena.exhausted()) return value;
    GoValue copy = value;
    if (value.is_map() && value.map != nullptr) {
        copy.map = arena.make<GoMap>();
        copy.map->entries = arena.array<GoEntry>(value.map->size);
        copy.map->size = copy.map->room = value.map->size;
        copy.map->doubts = value.map->doubts;
        for (std::uint32_t i = 0; i < value.map->size; ++i) {
            copy.map->entries[i] = value.map->entries[i];
            copy.map->entries[i].value = deep_copy(arena, value.map->entries[i].value, depth + 1);
        }
    } else if (value.is_list() && value.list != nullptr) {
        copy.list = arena.make<GoList>();
        copy.list->items = arena.array<GoValue>(value.list->size);
        copy.list->size = copy.list->room = value.list->size;
        for (std::uint32_t i = 0; i < value.list->size; ++i)
            copy.list->items[i] = deep_copy(arena, value.list->items[i], depth + 1);
    }
    return copy;
}

bool deep_equal(ValueArena& arena, const GoValue& a, const GoValue& b, int depth) {
    if (depth > deepest_value || !arena.spend(1)) return true;
    if (a.is_nil() || b.is_nil()) return a.is_nil() && b.is_nil();
    if (a.type != b.type) return false;
    switch (a.type) {
    case GoType::boolean:
        return a.boolean == b.boolean;
    case GoType::float64:
        return a.number == b.number;
    case GoType::string:
    case GoType::bytes:
        return a.str() == b.str();
    case GoType::object:
        return a.object == b.object;
    default:
        break;
    }
    if (a.is_integer()) return a.integer == b.integer;
    if (a.is_list()) {
        if ((a.list == nullptr) != (b.list == nullptr)) return false;
        const auto left = items(a), right = items(b);
        return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                          [&](const GoValue& x, const GoValue& y) { return deep_equal(arena, x, y, depth + 1); });
    }
    if ((a.map == nullptr) != (b.map == nullptr)) return false;
    const auto left = entries(a), right = entries(b);
    return std::equal(left.begin(), left.end(), right.begin(), right.end(), [&](const GoEntry& x, const GoEntry& y) {
        return x.key == y.key && deep_equal(arena, x.value, y.value, depth + 1);
    });
}

std::size_t length(const GoValue& value) {
    if (value.type == GoType::string || value.type == GoType::bytes) return value.str().size();
    if (value.is_list()) return items(value).size();
    if (value.is_map()) return entries(value).size();
    return 0;
}

std::span<GoValue> items(const GoValue& list) {
    return list.list == nullptr ? std::span<GoValue>() : list.list->all();
}

std::span<GoEntry> entries(const GoValue& map) {
    return map.map == nullptr ? std::span<GoEntry>() : map.map->all();
}

GoValue element(const GoValue& value, std::string_view key) {
    if (!value.is_map() || value.map == nullptr) return make_nil();
    const GoEntry* found = value.map->find(key);
    return found == nullptr ? make_nil() : found->value;
}

bool is_true(const GoValue& value) {
    switch (value.type) {
    case GoType::invalid:
    case GoType::nil:
        return false;
    case GoType::boolean:
        return value.boolean;
    case GoType::float64:
        return value.number != 0;
    case GoType::object:
        return true;
    default:
        return value.is_integer() ? value.integer != 0 : length(value) > 0;
    }
}

std::string_view type_name(GoType type) {
    switch (type) {
    case GoType::invalid:
    case GoType::nil:
        return "<nil>";
    case GoType::boolean:
        return "bool";
    case GoType::int_:
        return "int";
    case GoType::int64:
        return "int64";
    case GoType::int32:
        return "int32";
    case GoType::uint8:
        return "uint8";
    case GoType::uint64:
        return "uint64";
    case GoType::float64:
        return "float64";
    case GoType::string:
        return "string";
    case GoType::bytes:
        return "[]uint8";
    case GoType::any_list:
        return "[]interface {}";
    case GoType::string_list:
        return "[]string";
    case GoType::int_list:
        return "[]int";
    case GoType::list_list:
        return "[][]interface {}";
    case GoType::object_list:
        return "[]*chart.Dependency";
    case GoType::version_set:
        return "chartutil.VersionSet";
    case GoType::any_map:
        return "map[string]interface {}";
    case GoType::values_map:
        return "chartutil.Values";
    case GoType::string_map:
        return "map[string]string";
    case GoType::files:
        return "engine.files";
    case GoType::object:
        return "struct";
    }
    return "";
}

std::string type_name(const GoValue& value) {
    if (value.type == GoType::object) return std::string(value.object->type_name);
    return std::string(type_name(value.type));
}

std::string_view kind_name(GoType type) {
    switch (type) {
    case GoType::invalid:
    case GoType::nil:
        return "invalid";
    case GoType::boolean:
        return "bool";
    case GoType::object:
        return "struct";
    case GoType::bytes:
        return "slice";
    default:
        break;
    }
    GoValue probe;
    probe.type = type;
    if (probe.is_list()) return "slice";
    if (probe.is_map()) return "map";
    return type_name(type);
}

std::string_view kind_name(const GoValue& value) {
    if (value.type == GoType::object && value.object->pointer) return "ptr";
    return kind_name(value.type);
}

const ValueOrigin* doubt_about(ValueArena& arena, const GoValue& map, std::string_view key) {
    const ValueOrigin* all = map.unknown() ? map.origin : nullptr;
    if (!map.is_map() || map.map == nullptr) return all;
    for (const MapDoubt* one = map.map->doubts; one != nullptr; one = one->next)
        if (key.empty() || one->key.empty() || one->key == key) all = join(arena, all, one->by);
    return all;
}

void add_doubt(ValueArena& arena, GoMap& map, std::string_view key, const ValueOrigin* by) {
    for (const MapDoubt* one = map.doubts; one != nullptr; one = one->next)
        if (one->key == key) return;
    map.doubts = arena.make<MapDoubt>(key, by, map.doubts);
}

const ValueOrigin* make_origin(ValueArena& arena, Place at, bool linear) {
    ValueOrigin origin;
    origin.at = at;
    origin.linear = linear;
    return arena.make<ValueOrigin>(origin);
}

const ValueOrigin* join(ValueArena& arena, const ValueOrigin* a, const ValueOrigin* b) {
    if (a == nullptr || a == b) return b;
    if (b == nullptr || a->left == b || a->right == b) return a;
    if (b->left == a || b->right == a) return b;
    ValueOrigin both;
    both.unknown = a->unknown || b->unknown;
    both.left = a;
    both.right = b;
    return arena.make<ValueOrigin>(both);
}

const ValueOrigin* origin_from(ValueArena& arena, const ValueOrigin* origin, std::uint32_t offset,
                               std::uint32_t length) {
    if (origin == nullptr) return origin;
    if (!origin->linear) {
        if (origin->at.file != no_file || origin->left == nullptr || !origin->left->linear) return origin;
        const ValueOrigin* part = origin_from(arena, origin->left, offset, length);
        return part == origin->left ? origin : join(arena, part, origin->right);
    }
    if (offset == 0 && length == origin->at.span.end - origin->at.span.begin) return origin;
    ValueOrigin part = *origin;
    part.at.span.begin = std::min(origin->at.span.begin + offset, origin->at.span.end);
    part.at.span.end = std::min(part.at.span.begin + length, origin->at.span.end);
    return arena.make<ValueOrigin>(part);
}

std::vector<Place> origin_places(const ValueOrigin* origin, std::size_t most) {
    constexpr std::size_t few = 64; // most have less, and a set costs more than looking through them
    std::vector<Place> places;
    std::vector<const ValueOrigin*> waiting;
    std::unordered_set<const ValueOrigin*> seen;
    const auto is_new = [&](const ValueOrigin* one) {
        if (waiting.size() < few) return std::find(waiting.begin(), waiting.end(), one) == waiting.end();
        if (seen.empty()) seen.insert(waiting.begin(), waiting.end());
        return seen.insert(one).second;
    };
    waiting.reserve(few);
    if (origin != nullptr) waiting.push_back(origin);
    for (std::size_t next = 0; next < waiting.size() && places.size() < most; ++next) {
        const ValueOrigin* here = waiting[next];
        if (here->at.file != no_file && std::find(places.begin(), places.end(), here->at) == places.end())
            places.push_back(here->at);
        for (const ValueOrigin* more : {here->left, here->right})
            if (more != nullptr && waiting.size() < 4096 && is_new(more)) waiting.push_back(more);
    }
    return places;
}

} // namespace lockstep

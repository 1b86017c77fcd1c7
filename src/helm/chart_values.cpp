// How a chart's own values and the given ones become one tree of values.
#include "helm/chart.h"
#include <algorithm>

namespace lockstep {
namespace {

constexpr int deepest = 300;

bool is_table(const GoValue& value) {
    return value.is_any_map() && value.map != nullptr;
}

bool is_null(const GoValue& value) {
    return value.is_nil();
}

std::vector<GoEntry> snapshot(const GoMap& map) {
    return {map.entries, map.entries + map.size};
}

void coalesce_deep(ValueArena& arena, GoMap& into, GoMap& from, bool merge, int depth) {
    if (depth > deepest || arena.exhausted()) return;
    std::vector<std::string_view> real; // keys that have a value in `from`, before nulls are put there
    for (const GoEntry& entry : from.all())
        if (!is_null(entry.value)) real.push_back(entry.key);
    for (const GoEntry& entry : snapshot(into))
        if (is_null(entry.value)) put(arena, from, entry.key, entry.value, entry.key_origin);
    for (const GoEntry& entry : snapshot(from)) {
        GoEntry* own = into.find(entry.key);
        if (own != nullptr && !merge && is_null(own->value) &&
            std::find(real.begin(), real.end(), entry.key) != real.end()) {
            remove(into, entry.key); // a null takes the default away
        } else if (own == nullptr) {
            put(arena, into, entry.key, entry.value, entry.key_origin);
        } else if (is_table(entry.value) && is_table(own->value)) {
            coalesce_deep(arena, *own->value.map, *entry.value.map, merge, depth + 1);
        }
    }
}

// Globals of the chart above, into those of a chart inside it; what is above wins.
void coalesce_globals(ValueArena& arena, GoMap& into, GoMap& from) {
    GoEntry* own = into.find("global");
    GoEntry* above = from.find("global");
    if ((own != nullptr && !is_table(own->value)) || (above != nullptr && !is_table(above->value))) return;
    GoValue globals = own != nullptr ? own->value : make_map(arena);
    if (above != nullptr) {
        for (const GoEntry& entry : snapshot(*above->value.map)) {
            GoEntry* there = globals.map->find(entry.key);
            if (is_table(entry.value)) {
                GoValue copy = make_map(arena);
                copy.origin = entry.value.origin;
                for (const GoEntry& inner : entries(entry.value))
                    put(arena, *copy.map, inner.key, inner.value, inner.key_origin);
                if (there != nullptr) {
                    if (!is_table(there->value)) continue;
                    coalesce_deep(arena, *copy.map, *there->value.map, true, 0);
                }
                put(arena, *globals.map, entry.key, copy, entry.key_origin);
            } else if (there == nullptr || !is_table(there->value)) {
                put(arena, *globals.map, entry.key, entry.value, entry.key_origin);
            }
        }
    }
    put(arena, into, "global", globals);
}

// Helm 4: a null that is a chart's own default says nothing.
void drop_nulls(GoMap& map, int depth) {
    if (depth > deepest) return;
    for (const GoEntry& entry : snapshot(map)) {
        if (is_null(entry.value))
            remove(map, entry.key);
        else if (is_table(entry.value))
            drop_nulls(*entry.value.map, depth + 1);
    }
}

void coalesce_own(ValueArena& arena, const LoadedChart& chart, GoMap& into, bool merge, bool helm4) {
    if (!is_table(chart.values)) return;
    const GoValue defaults = deep_copy(arena, chart.values);
    for (const GoEntry& entry : entries(defaults)) {
        GoEntry* given = into.find(entry.key);
        const bool inner = std::any_of(chart.dependencies.begin(), chart.dependencies.end(),
                                       [&](const LoadedChart* one) { return one->name() == entry.key; });
        if (helm4 && !merge && is_table(entry.value) && (given == nullptr || !inner)) drop_nulls(*entry.value.map, 0);
        if (given == nullptr) {
            if (helm4 && !merge && is_null(entry.value)) continue;
            put(arena, into, entry.key, entry.value, entry.key_origin);
        } else if (is_null(given->value) && !merge) {
            remove(into, entry.key);
        } else if (is_table(given->value) && is_table(entry.value)) {
            coalesce_deep(arena, *given->value.map, *entry.value.map, merge || inner, 0);
        }
    }
}

void coalesce_chart(ValueArena& arena, const LoadedChart& chart, GoMap& into, bool merge, bool helm4, int depth) {
    coalesce_own(arena, chart, into, merge, helm4);
    if (depth > deepest) return;
    for (const LoadedChart* inner : chart.dependencies) {
        GoEntry* own = into.find(inner->name());
        if (own == nullptr) own = &put(arena, into, inner->name(), make_map(arena));
        if (!is_table(own->value)) return; // Helm stops here; values of this kind never reach the chart
        GoMap* table = own->value.map;
        coalesce_globals(arena, *table, into);
        coalesce_chart(arena, *inner, *table, merge, helm4, depth + 1);
    }
}

GoValue all_values(ValueArena& arena, const LoadedChart& chart, const GoValue& given, bool merge, bool helm4) {
    GoValue values = is_table(given) ? deep_copy(arena, given) : make_map(arena);
    values.type = GoType::any_map;
    coalesce_chart(arena, chart, *values.map, merge, helm4, 0);
    return values;
}

} // namespace

void coalesce_tables(ValueArena& arena, GoMap& into, GoMap& from, bool merge) {
    coalesce_deep(arena, into, from, merge, 0);
}

GoValue coalesce_values(ValueArena& arena, const LoadedChart& chart, const GoValue& given, bool helm4) {
    return all_values(arena, chart, given, false, helm4);
}

GoValue merge_values(ValueArena& arena, const LoadedChart& chart, const GoValue& given) {
    return all_values(arena, chart, given, true, false);
}

GoValue merge_maps(ValueArena& arena, const GoValue& below, const GoValue& above) {
    if (!is_table(above)) return below;
    if (!is_table(below)) return above;
    GoValue out = make_map(arena);
    out.origin = join(arena, below.origin, above.origin);
    for (const GoEntry& entry : entries(below))
        put(arena, *out.map, entry.key, entry.value, entry.key_origin);
    for (const GoEntry& entry : entries(above)) {
        GoEntry* there = out.map->find(entry.key);
        const bool both = there != nullptr && is_table(there->value) && is_table(entry.value);
        put(arena, *out.map, entry.key, both ? merge_maps(arena, there->value, entry.value) : entry.value,
            entry.key_origin);
    }
    return out;
}

} // namespace lockstep

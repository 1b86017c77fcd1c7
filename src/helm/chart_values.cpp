// How a chart's own values and the given ones become one tree of values.
#include "helm/chart.h"
#include "helm/go_format.h"
#include "helm/text_builder.h"
#include <algorithm>

namespace lockstep {
namespace {

constexpr int deepest_values = 300;

bool is_table(const GoValue& value) {
    return value.is_any_map() && value.map != nullptr;
}

bool is_null(const GoValue& value) {
    return value.is_nil();
}

std::vector<GoEntry> snapshot(const GoMap& map) {
    return {map.entries, map.entries + map.size};
}

void coalesce_deep(ValueArena& arena, GoMap& into, GoMap& from, HelmVersion helm, bool merge, int depth) {
    if (depth > deepest_values || arena.exhausted()) return;
    std::vector<std::string_view> real; // keys that have a value in `from`, before nulls are put there
    for (const GoEntry& entry : from.all())
        if (!is_null(entry.value)) real.push_back(entry.key);
    if (helm.unmatched_nulls_count())
        for (const GoEntry& entry : snapshot(into))
            if (is_null(entry.value)) put(arena, from, entry.key, entry.value, entry.key_origin);
    const auto takes_away = [&](const GoEntry& own) {
        return !merge && is_null(own.value) &&
               (!helm.unmatched_nulls_stay() || std::find(real.begin(), real.end(), own.key) != real.end());
    };
    for (const GoEntry& entry : snapshot(from)) {
        GoEntry* own = into.find(entry.key);
        if (own != nullptr && takes_away(*own)) {
            remove(into, entry.key);
        } else if (own == nullptr) {
            put(arena, into, entry.key, entry.value, entry.key_origin);
        } else if (is_table(entry.value) && is_table(own->value)) {
            coalesce_deep(arena, *own->value.map, *entry.value.map, helm, merge, depth + 1);
        }
    }
}

// Globals of the chart above, into those of a chart inside it; what is above wins.
void coalesce_globals(ValueArena& arena, GoMap& into, GoMap& from, HelmVersion helm) {
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
                    coalesce_deep(arena, *copy.map, *there->value.map, helm, true, 0);
                }
                put(arena, *globals.map, entry.key, copy, entry.key_origin);
            } else if (there == nullptr || !is_table(there->value)) {
                put(arena, *globals.map, entry.key, entry.value, entry.key_origin);
            }
        }
    }
    put(arena, into, "global", globals);
}

void drop_nulls(GoMap& map, int depth) {
    if (depth > deepest_values) return;
    for (const GoEntry& entry : snapshot(map)) {
        if (is_null(entry.value))
            remove(map, entry.key);
        else if (is_table(entry.value))
            drop_nulls(*entry.value.map, depth + 1);
    }
}

class Coalescing {
public:
    Coalescing(ValueArena& arena, HelmVersion helm, bool merge, ValuesRefusal& refusal)
        : arena_(arena), helm_(helm), merge_(merge), refusal_(refusal) {}

    GoValue all(const LoadedChart& chart, const GoValue& given) {
        GoValue values = is_table(given) ? deep_copy(arena_, given) : make_map(arena_);
        values.type = GoType::any_map;
        add_chart(chart, *values.map, 0);
        return values;
    }

private:
    void add_own(const LoadedChart& chart, GoMap& into) {
        if (!is_table(chart.values)) return;
        const bool drops = helm_.own_nulls_are_dropped() && !merge_;
        const GoValue defaults = deep_copy(arena_, chart.values);
        for (const GoEntry& entry : entries(defaults)) {
            GoEntry* given = into.find(entry.key);
            const bool inner = helm_.children_decide_nulls() &&
                               std::any_of(chart.dependencies.begin(), chart.dependencies.end(),
                                           [&](const LoadedChart* one) { return one->name() == entry.key; });
            if (drops && is_table(entry.value) && (given == nullptr || !inner)) drop_nulls(*entry.value.map, 0);
            if (given == nullptr) {
                if (drops && is_null(entry.value)) continue;
                put(arena_, into, entry.key, entry.value, entry.key_origin);
            } else if (is_null(given->value) && !merge_) {
                remove(into, entry.key);
            } else if (is_table(given->value) && is_table(entry.value)) {
                coalesce_deep(arena_, *given->value.map, *entry.value.map, helm_, merge_ || inner, 0);
            }
        }
    }

    void add_chart(const LoadedChart& chart, GoMap& into, int depth) {
        add_own(chart, into);
        if (depth > deepest_values) return;
        for (const LoadedChart* inner : chart.dependencies) {
            GoEntry* own = into.find(inner->name());
            if (own == nullptr) own = &put(arena_, into, inner->name(), make_map(arena_));
            if (!is_table(own->value)) return refuse(*inner, *own);
            GoMap* table = own->value.map;
            coalesce_globals(arena_, *table, into, helm_);
            add_chart(*inner, *table, depth + 1);
            if (!refusal_.message.empty()) return;
        }
    }

    void refuse(const LoadedChart& inner, const GoEntry& entry) {
        TextBuilder shown(arena_);
        const GoValue value[] = {entry.value};
        format_values(shown, "%t", value);
        refusal_.message = "type mismatch on " + inner.name() + ": " + shown.bytes;
        refusal_.origin = entry.value.origin != nullptr ? entry.value.origin : entry.key_origin;
    }

    ValueArena& arena_;
    HelmVersion helm_;
    bool merge_;
    ValuesRefusal& refusal_;
};

} // namespace

void coalesce_tables(ValueArena& arena, GoMap& into, GoMap& from, HelmVersion helm, bool merge) {
    coalesce_deep(arena, into, from, helm, merge, 0);
}

GoValue coalesce_values(ValueArena& arena, const LoadedChart& chart, const GoValue& given, HelmVersion helm,
                        ValuesRefusal& refusal) {
    return Coalescing(arena, helm, false, refusal).all(chart, given);
}

GoValue merge_values(ValueArena& arena, const LoadedChart& chart, const GoValue& given, HelmVersion helm,
                     ValuesRefusal& refusal) {
    return Coalescing(arena, helm, true, refusal).all(chart, given);
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

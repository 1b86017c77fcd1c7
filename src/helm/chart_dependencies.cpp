// Which charts inside are on, under which name, and what values they hand up.
#include "base/semver.h"
#include "helm/chart.h"
#include "helm/go_format.h"
#include "helm/text_builder.h"
#include <algorithm>
#include <set>

namespace lockstep {

bool version_in_range(std::string_view range, std::string_view version) {
    const auto parsed = Range::parse(range);
    const auto exact = parse_version(version);
    return parsed && exact && parsed->contains(*exact);
}

namespace {

constexpr int deepest_dependency = 50;

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(separator, at), text.size());
        parts.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

// The table at a dotted path; nothing where a step is no table.
GoMap* table_at(GoMap* map, std::span<const std::string> path) {
    for (const std::string& step : path) {
        GoEntry* found = map->find(step);
        if (found == nullptr || !found->value.is_any_map() || found->value.map == nullptr) return nullptr;
        map = found->value.map;
    }
    return map;
}

const GoEntry* scalar_at(GoMap* map, std::string_view dotted) {
    const std::vector<std::string> path = split(dotted, '.');
    GoMap* table = table_at(map, std::span(path).first(path.size() - 1));
    const GoEntry* found = table == nullptr ? nullptr : table->find(path.back());
    return found == nullptr || found->value.is_any_map() ? nullptr : found;
}

void note_decision(ValueArena& arena, DeclaredDependency& one, const GoEntry& by) {
    one.decided_by = join(arena, one.decided_by, join(arena, by.value.origin, by.key_origin));
}

void apply_tags(ValueArena& arena, ChartMetadata& meta, GoMap& values) {
    const std::string path[] = {"tags"};
    GoMap* tags = table_at(&values, path);
    if (tags == nullptr) return;
    for (const auto& one : meta.dependencies) {
        bool on = false, off = false;
        for (const std::string& tag : one->tags) {
            const GoEntry* found = tags->find(tag);
            if (found == nullptr || found->value.type != GoType::boolean) continue;
            note_decision(arena, *one, *found);
            (found->value.boolean ? on : off) = true;
        }
        one->enabled = on || !off;
    }
}

void apply_conditions(ValueArena& arena, ChartMetadata& meta, GoMap& values, const std::string& path) {
    for (const auto& one : meta.dependencies) {
        std::string_view trimmed = one->condition;
        while (trimmed.starts_with(' '))
            trimmed.remove_prefix(1);
        while (trimmed.ends_with(' '))
            trimmed.remove_suffix(1);
        for (const std::string& condition : split(trimmed, ',')) {
            if (condition.empty()) continue;
            const GoEntry* found = scalar_at(&values, path + condition);
            if (found == nullptr) continue;
            note_decision(arena, *one, *found);
            if (found->value.type != GoType::boolean) continue;
            one->enabled = found->value.boolean;
            break;
        }
    }
}

// What Helm 4 copies of a chart that is there under another name.
void take_apart(ChartStore& store, LoadedChart& copy) {
    for (auto& one : copy.meta.dependencies)
        one = std::make_shared<DeclaredDependency>(*one);
    for (LoadedChart*& inner : copy.dependencies) {
        inner = store.add(*inner);
        inner->parent = &copy;
    }
}

LoadedChart* copy_for(ChartStore& store, const std::vector<LoadedChart*>& charts, const DeclaredDependency& wanted,
                      HelmVersion helm) {
    for (const LoadedChart* chart : charts) {
        if (chart->name() != wanted.name || !version_in_range(wanted.version, chart->meta.version)) continue;
        LoadedChart* copy = store.add(*chart);
        if (!helm.aliases_share_declarations()) take_apart(store, *copy);
        if (!wanted.alias.empty()) copy->meta.name = wanted.alias;
        return copy;
    }
    return nullptr;
}

void set_dependencies(LoadedChart& chart, std::vector<LoadedChart*> charts) {
    for (LoadedChart* one : charts)
        one->parent = &chart;
    chart.dependencies = std::move(charts);
}

void process_enabled(ValueArena& arena, ChartStore& store, LoadedChart& chart, const GoValue& given,
                     const std::string& path, HelmVersion helm, ValuesRefusal& refusal, int depth) {
    if (!chart.meta.has_dependencies || depth > deepest_dependency) return;
    std::vector<LoadedChart*> charts;
    for (LoadedChart* there : chart.dependencies) {
        const bool named =
            std::any_of(chart.meta.dependencies.begin(), chart.meta.dependencies.end(), [&](const auto& one) {
                return there->name() == one->name && version_in_range(one->version, there->meta.version);
            });
        if (!named) charts.push_back(there);
    }
    for (const auto& one : chart.meta.dependencies) {
        if (LoadedChart* copy = copy_for(store, chart.dependencies, *one, helm)) charts.push_back(copy);
        if (!one->alias.empty()) one->name = one->alias;
        one->enabled = true;
        one->decided_by = nullptr;
    }
    set_dependencies(chart, std::move(charts));
    const GoValue values = coalesce_values(arena, chart, given, helm, refusal);
    if (!refusal.message.empty()) return;
    apply_tags(arena, chart.meta, *values.map);
    apply_conditions(arena, chart.meta, *values.map, path);
    std::set<std::string> off;
    for (const auto& one : chart.meta.dependencies)
        if (!one->enabled) off.insert(one->name);
    std::vector<LoadedChart*> on;
    for (LoadedChart* one : chart.dependencies)
        if (off.count(one->name()) == 0) on.push_back(one);
    for (LoadedChart* one : on) {
        one->decided_by = chart.decided_by;
        for (const auto& declared : chart.meta.dependencies)
            if (declared->name == one->name()) one->decided_by = join(arena, declared->decided_by, one->decided_by);
        process_enabled(arena, store, *one, values, path + one->name() + ".", helm, refusal, depth + 1);
        if (!refusal.message.empty()) return;
    }
    std::erase_if(chart.meta.dependencies, [&](const auto& one) { return off.count(one->name) != 0; });
    set_dependencies(chart, std::move(on));
}

GoValue nested(ValueArena& arena, std::string_view path, const GoValue& table) {
    if (path == ".") return table;
    GoValue value = table;
    const std::vector<std::string> steps = split(path, '.');
    for (std::size_t i = steps.size(); i > 0; --i) {
        GoValue outer = make_map(arena);
        put(arena, *outer.map, arena.copy(steps[i - 1]), value);
        value = outer;
    }
    return value;
}

// What is handed up is there because the chart is on.
void decide_by(ValueArena& arena, GoMap& table, const ValueOrigin* why, int depth) {
    if (depth > deepest_dependency || arena.exhausted()) return;
    for (GoEntry& entry : table.all()) {
        entry.value = with_origin(arena, entry.value, why);
        if (entry.value.is_any_map() && entry.value.map != nullptr) decide_by(arena, *entry.value.map, why, depth + 1);
    }
}

// Tables are not copied here, as in Helm: two imports of one table change what the first of them came from.
void import_values(ValueArena& arena, LoadedChart& chart, HelmVersion helm, ValuesRefusal& refusal, int depth) {
    if (depth > deepest_dependency) return;
    for (LoadedChart* inner : chart.dependencies)
        import_values(arena, *inner, helm, refusal, depth + 1);
    if (!chart.meta.has_dependencies || chart.meta.dependencies.empty() || !refusal.message.empty()) return;
    const bool merge = helm.imports_keep_nulls();
    const GoValue values = merge ? merge_values(arena, chart, make_map(arena), helm, refusal)
                                 : coalesce_values(arena, chart, make_map(arena), helm, refusal);
    if (!refusal.message.empty()) return;
    GoValue imported = make_map(arena);
    for (const auto& one : chart.meta.dependencies) {
        if (!one->import_values.is_list()) continue;
        for (const GoValue& item : items(one->import_values)) {
            std::string child, parent = ".";
            if (item.is_string()) {
                child = "exports." + std::string(item.str());
            } else if (item.is_map()) {
                child = plain_text(element(item, "child"));
                parent = plain_text(element(item, "parent"));
            } else {
                continue;
            }
            GoMap* table = table_at(values.map, split(one->name + "." + child, '.'));
            if (table == nullptr) continue;
            if (one->decided_by != nullptr) decide_by(arena, *table, one->decided_by, 0);
            GoValue source = make_map(arena);
            source.map = table;
            if (!merge && item.is_map()) imported = values;
            coalesce_tables(arena, *imported.map, *nested(arena, parent, source).map, helm, merge);
        }
    }
    const GoValue own = merge ? deep_copy(arena, values) : values;
    coalesce_tables(arena, *own.map, *imported.map, helm, merge);
    chart.values = own;
}

} // namespace

ValuesRefusal process_dependencies(ValueArena& arena, ChartStore& store, LoadedChart& chart, const GoValue& given,
                                   HelmVersion helm) {
    ValuesRefusal refusal;
    process_enabled(arena, store, chart, given, "", helm, refusal, 0);
    if (refusal.message.empty()) import_values(arena, chart, helm, refusal, 0);
    return refusal;
}

} // namespace lockstep

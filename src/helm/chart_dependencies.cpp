// Which charts inside are on, under which name, and what values they hand up.
#include "base/semver.h"
#include "helm/chart.h"
#include "helm/go_format.h"
#include <algorithm>
#include <set>

namespace lockstep {

bool version_in_range(std::string_view range, std::string_view version) {
    const auto parsed = Range::parse(range);
    const auto exact = parse_version(version);
    return parsed && exact && parsed->contains(*exact);
}

namespace {

constexpr int deepest = 50;

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
const GoMap* table_at(const GoMap* map, std::span<const std::string> path) {
    for (const std::string& step : path) {
        const GoEntry* found = map->find(step);
        if (found == nullptr || !found->value.is_any_map() || found->value.map == nullptr) return nullptr;
        map = found->value.map;
    }
    return map;
}

const GoValue* value_at(const GoMap* map, std::string_view dotted) {
    const std::vector<std::string> path = split(dotted, '.');
    const GoMap* table = table_at(map, std::span(path).first(path.size() - 1));
    const GoEntry* found = table == nullptr ? nullptr : table->find(path.back());
    return found == nullptr || found->value.is_any_map() ? nullptr : &found->value;
}

void apply_tags(ChartMetadata& meta, const GoMap& values) {
    const std::string path[] = {"tags"};
    const GoMap* tags = table_at(&values, path);
    if (tags == nullptr) return;
    for (DeclaredDependency& one : meta.dependencies) {
        bool on = false, off = false;
        for (const std::string& tag : one.tags) {
            const GoEntry* found = tags->find(tag);
            if (found == nullptr || found->value.type != GoType::boolean) continue;
            (found->value.boolean ? on : off) = true;
        }
        one.enabled = on || !off;
    }
}

void apply_conditions(ChartMetadata& meta, const GoMap& values, const std::string& path) {
    for (DeclaredDependency& one : meta.dependencies) {
        std::string_view trimmed = one.condition;
        while (trimmed.starts_with(' '))
            trimmed.remove_prefix(1);
        while (trimmed.ends_with(' '))
            trimmed.remove_suffix(1);
        for (const std::string& condition : split(trimmed, ',')) {
            if (condition.empty()) continue;
            const GoValue* found = value_at(&values, path + condition);
            if (found == nullptr || found->type != GoType::boolean) continue;
            one.enabled = found->boolean;
            break;
        }
    }
}

LoadedChart* copy_for(ChartStore& store, const std::vector<LoadedChart*>& charts, const DeclaredDependency& wanted) {
    for (const LoadedChart* chart : charts) {
        if (chart->name() != wanted.name || !version_in_range(wanted.version, chart->meta.version)) continue;
        LoadedChart copy = *chart;
        if (!wanted.alias.empty()) copy.meta.name = wanted.alias;
        return store.add(std::move(copy));
    }
    return nullptr;
}

void set_dependencies(LoadedChart& chart, std::vector<LoadedChart*> charts) {
    for (LoadedChart* one : charts)
        one->parent = &chart;
    chart.dependencies = std::move(charts);
}

void process_enabled(ValueArena& arena, ChartStore& store, LoadedChart& chart, const GoValue& given,
                     const std::string& path, bool helm4, int depth) {
    if (!chart.meta.has_dependencies || depth > deepest) return;
    std::vector<LoadedChart*> charts;
    for (LoadedChart* there : chart.dependencies) {
        const bool named = std::any_of(
            chart.meta.dependencies.begin(), chart.meta.dependencies.end(), [&](const DeclaredDependency& one) {
                return there->name() == one.name && version_in_range(one.version, there->meta.version);
            });
        if (!named) charts.push_back(there);
    }
    for (DeclaredDependency& one : chart.meta.dependencies) {
        if (LoadedChart* copy = copy_for(store, chart.dependencies, one)) charts.push_back(copy);
        if (!one.alias.empty()) one.name = one.alias;
        one.enabled = true;
    }
    set_dependencies(chart, std::move(charts));
    const GoValue values = coalesce_values(arena, chart, given, helm4);
    apply_tags(chart.meta, *values.map);
    apply_conditions(chart.meta, *values.map, path);
    std::set<std::string> off;
    for (const DeclaredDependency& one : chart.meta.dependencies)
        if (!one.enabled) off.insert(one.name);
    std::vector<LoadedChart*> on;
    for (LoadedChart* one : chart.dependencies)
        if (off.count(one->name()) == 0) on.push_back(one);
    for (LoadedChart* one : on)
        process_enabled(arena, store, *one, values, path + one->name() + ".", helm4, depth + 1);
    std::erase_if(chart.meta.dependencies, [&](const DeclaredDependency& one) { return off.count(one.name) != 0; });
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

void import_values(ValueArena& arena, LoadedChart& chart, int depth) {
    if (depth > deepest) return;
    for (LoadedChart* inner : chart.dependencies)
        import_values(arena, *inner, depth + 1);
    if (!chart.meta.has_dependencies) return;
    const GoValue values = merge_values(arena, chart, make_map(arena));
    GoValue imported = make_map(arena);
    for (const DeclaredDependency& one : chart.meta.dependencies) {
        if (!one.import_values.is_list()) continue;
        for (const GoValue& item : items(one.import_values)) {
            std::string child, parent = ".";
            if (item.is_string()) {
                child = "exports." + std::string(item.str());
            } else if (item.is_map()) {
                child = plain_text(element(item, "child"));
                parent = plain_text(element(item, "parent"));
            } else {
                continue;
            }
            const GoMap* table = table_at(values.map, split(one.name + "." + child, '.'));
            if (table == nullptr) continue;
            GoValue source = make_map(arena);
            *source.map = *table;
            GoValue copy = deep_copy(arena, nested(arena, parent, source));
            coalesce_tables(arena, *imported.map, *copy.map, true);
        }
    }
    GoValue own = deep_copy(arena, values);
    coalesce_tables(arena, *own.map, *imported.map, true);
    chart.values = own;
}

} // namespace

std::string process_dependencies(ValueArena& arena, ChartStore& store, LoadedChart& chart, const GoValue& given,
                                 bool helm4) {
    process_enabled(arena, store, chart, given, "", helm4, 0);
    import_values(arena, chart, 0);
    return {};
}

} // namespace lockstep

// Looks for declared dependencies, the highest version that fits first.
#include "helm/chart_shelf.h"
#include "base/semver.h"
#include <algorithm>

namespace lockstep {
namespace {

constexpr int deepest_shelf = 10;

bool is_newer(const std::string& a, const std::string& b) {
    const auto x = parse_version(a), y = parse_version(b);
    return x && (!y || compare(*x, *y) > 0);
}

// The version in `name-1.2.3.tgz`; nothing for an archive of another chart. What the chart itself says counts in the
// end.
std::optional<std::string> version_of(std::string_view file, std::string_view name) {
    const std::size_t slash = file.rfind('/');
    if (slash != std::string_view::npos) file.remove_prefix(slash + 1);
    if (!file.ends_with(".tgz") || !file.starts_with(name)) return std::nullopt;
    file.remove_suffix(4);
    file.remove_prefix(name.size());
    if (!file.starts_with('-')) return std::nullopt;
    file.remove_prefix(1);
    if (!parse_version(file)) return std::nullopt;
    return std::string(file);
}

// The highest version first.
std::vector<const ShelfArchive*> fitting_archives(const ChartShelf& shelf, std::string_view name,
                                                  std::string_view range) {
    std::vector<std::pair<std::string, const ShelfArchive*>> fitting;
    for (const ShelfArchive& one : shelf.archives)
        if (const auto version = version_of(one.file, name); version && version_in_range(range, *version))
            fitting.emplace_back(*version, &one);
    std::sort(fitting.begin(), fitting.end(), [](const auto& a, const auto& b) { return is_newer(a.first, b.first); });
    std::vector<const ShelfArchive*> found;
    for (const auto& [version, archive] : fitting)
        found.push_back(archive);
    return found;
}

struct Search {
    ValueArena& arena;
    ChartStore& store;
    const ChartShelf& shelf;
    std::vector<DependencyOutcome>& outcomes;

    LoadedChart* from_repository(const DeclaredDependency& wanted, DependencyOutcome& outcome) {
        const ShelfChart* best = nullptr;
        ShelfMatch best_match = ShelfMatch::none;
        const std::string declared_in = wanted.at.file == no_file ? std::string() : store.sources.paths[wanted.at.file];
        for (const ShelfChart& one : shelf.charts) {
            if (one.name != wanted.name || declared_in == one.reader.path + "/Chart.yaml") continue;
            const ShelfMatch match = shelf.match ? shelf.match(wanted, declared_in, one) : ShelfMatch::by_name;
            if (match == ShelfMatch::none || match < best_match) continue;
            if (!version_in_range(wanted.version, one.version)) {
                outcome.near = one.reader.path + " " + one.version;
                continue;
            }
            if (best != nullptr && match == best_match && !is_newer(one.version, best->version)) continue;
            best = &one;
            best_match = match;
        }
        if (best == nullptr) return nullptr;
        const Result<LoadedChart*> loaded = load_chart(arena, store, best->reader);
        if (!loaded) return nullptr;
        outcome.how = DependencyOutcome::How::repository;
        outcome.where = best->reader.path;
        outcome.by_name = best_match == ShelfMatch::by_name;
        return *loaded;
    }

    LoadedChart* from_cache(const DeclaredDependency& wanted, DependencyOutcome& outcome) {
        for (const ShelfArchive* archive : fitting_archives(shelf, wanted.name, wanted.version)) {
            const auto bytes = archive->read();
            if (!bytes) continue;
            const Result<LoadedChart*> loaded = load_packed_chart(arena, store, *bytes, archive->file);
            if (!loaded || (*loaded)->name() != wanted.name) continue;
            outcome.how = DependencyOutcome::How::cache;
            outcome.where = archive->file;
            return *loaded;
        }
        return nullptr;
    }

    void run(LoadedChart& chart, int depth) {
        if (depth > deepest_shelf) return;
        for (const auto& declared : chart.meta.dependencies) {
            const DeclaredDependency& wanted = *declared;
            DependencyOutcome outcome;
            outcome.chart = chart.name();
            outcome.name = wanted.name;
            outcome.range = wanted.version;
            outcome.repository = wanted.repository;
            outcome.at = wanted.at;
            LoadedChart* found = nullptr;
            for (LoadedChart* there : chart.dependencies)
                if (there->name() == wanted.name && version_in_range(wanted.version, there->meta.version))
                    found = there;
            if (found != nullptr) {
                outcome.how = DependencyOutcome::How::vendored;
            } else {
                found = from_repository(wanted, outcome);
                if (found == nullptr) found = from_cache(wanted, outcome);
                if (found != nullptr) {
                    found->parent = &chart;
                    chart.dependencies.push_back(found);
                }
            }
            if (found != nullptr) {
                outcome.version = found->meta.version;
                outcome.near.clear();
            }
            outcomes.push_back(std::move(outcome));
        }
        for (LoadedChart* inner : chart.dependencies)
            run(*inner, depth + 1);
    }
};

} // namespace

const ShelfArchive* find_archive(const ChartShelf& shelf, std::string_view name, std::string_view range) {
    const auto found = fitting_archives(shelf, name, range);
    return found.empty() ? nullptr : found.front();
}

std::vector<DependencyOutcome> complete_dependencies(ValueArena& arena, ChartStore& store, LoadedChart& chart,
                                                     const ChartShelf& shelf) {
    std::vector<DependencyOutcome> outcomes;
    Search{arena, store, shelf, outcomes}.run(chart, 0);
    return outcomes;
}

} // namespace lockstep

// Trees in memory, with what every cluster gets from them.
#pragma once
#include "../index/build_in_memory.h"
#include "deploy/chart_library.h"
#include "deploy/fleet.h"

namespace lockstep {

struct BuiltFleet {
    Built built;
    std::unique_ptr<ParsedFiles> files;
    std::unique_ptr<ChartLibrary> charts;
    std::unique_ptr<Fleet> fleet;

    // The names of what a cluster gets, as `Kind namespace/name`, sorted; certain ones only.
    std::vector<std::string> names(std::string_view cluster = {}) const {
        std::vector<std::string> found;
        for (const Instance& one : fleet->instances) {
            if (fleet->certainty_of(one) != Certainty::proven) continue;
            if (!cluster.empty() && fleet->clusters[fleet->root_of(one).cluster].name != cluster) continue;
            found.push_back(std::string(one.id().kind) + " " + std::string(one.id().ns) + "/" +
                            std::string(one.id().name));
        }
        std::sort(found.begin(), found.end());
        return found;
    }
    const Instance* find(std::string_view kind, std::string_view name) const {
        for (const Instance& one : fleet->instances)
            if (one.id().kind == kind && one.id().name == name) return &one;
        return nullptr;
    }
    std::string text(const Instance* one, std::initializer_list<std::string_view> keys) const {
        return one ? cell_at(fleet->tree_of(*one), keys).text : std::string("(no such object)");
    }
};

inline BuiltFleet fleet_for(Built built, std::vector<std::string> applied = {}) {
    BuiltFleet made;
    made.built = std::move(built);
    made.files = std::make_unique<ParsedFiles>(*made.built.tree, YamlLimits{});
    made.charts = std::make_unique<ChartLibrary>(*made.built.tree, made.built.index, std::vector<ShelfArchive>());
    Fleet::Input input{*made.built.tree, made.built.index, *made.files, std::move(applied)};
    input.charts = made.charts.get();
    made.fleet = std::make_unique<Fleet>(input);
    return made;
}

inline BuiltFleet fleet_for(FileList files, std::vector<std::string> applied = {}) {
    return fleet_for(build(files), std::move(applied));
}

} // namespace lockstep

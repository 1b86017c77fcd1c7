// Charts that are at hand: those of the same repository, and packed ones in a cache folder. What a chart declares and
// does not carry is looked for here, in this order; the rest are gaps.
#pragma once
#include "helm/chart.h"

namespace lockstep {

struct ShelfChart { // a chart in a folder of the repository
    std::string name, version;
    ChartReader reader;
};

struct ShelfArchive { // NAME-VERSION.tgz, as Helm's cache and `helm pull` name it
    std::string file;
    std::function<std::optional<std::string>()> read;
};

// What says that a chart of the repository is the one that a dependency means.
enum class ShelfMatch : std::uint8_t {
    none,
    by_name, // nothing but its name
    sure,    // `file://`, or the registry that the repository pushes its charts to
};

struct ChartShelf {
    std::vector<ShelfChart> charts;
    std::vector<ShelfArchive> archives;
    // `declared_in`: path of the Chart.yaml that asks. Not set: names tell.
    std::function<ShelfMatch(const DeclaredDependency& wanted, const std::string& declared_in, const ShelfChart& found)>
        match = {};
};

struct DependencyOutcome {
    enum class How : std::uint8_t {
        vendored,   // below charts/
        repository, // a chart of the same repository
        cache,
        missing,
    } how = How::missing;
    std::string chart; // that declares it
    std::string name, range, repository;
    std::string version, where; // of what was taken
    std::string near;           // missing: a chart of the repository with this name and another version, `path 1.2.3`
    bool by_name = false;       // repository: nothing but the name says that it is the one
    Place at;
};

// The archive of a chart whose version is in the range, the highest; nullptr when there is none.
const ShelfArchive* find_archive(const ChartShelf& shelf, std::string_view name, std::string_view range);

// Adds what is found to the chart, and to the charts that are added. An archive that cannot be read is passed over.
std::vector<DependencyOutcome> complete_dependencies(ValueArena& arena, ChartStore& store, LoadedChart& chart,
                                                     const ChartShelf& shelf);

} // namespace lockstep

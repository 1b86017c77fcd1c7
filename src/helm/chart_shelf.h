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

struct ChartShelf {
    std::vector<ShelfChart> charts;
    std::vector<ShelfArchive> archives;
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
    Place at;
};

// Adds what is found to the chart, and to the charts that are added. An archive that cannot be read is passed over.
std::vector<DependencyOutcome> complete_dependencies(ValueArena& arena, ChartStore& store, LoadedChart& chart,
                                                     const ChartShelf& shelf);

} // namespace lockstep

// Which charts the releases and charts of a tree ask for, which are at hand and where, and which have to be pulled.
#pragma once
#include "deploy/fleet.h"
#include "deploy/rendered_chart.h"

namespace lockstep {

struct ChartNeed {
    enum class At : std::uint8_t {
        tree,     // a folder of this repository
        vendored, // below the charts/ folder of the chart that asks
        packed,   // in a folder of `charts:`
        nowhere,
    } at = At::nowhere;
    std::string name, version, repository; // as asked for; a version may be a range
    std::string where;                     // folder or archive
    std::string near;                      // nowhere: what this repository has instead
    std::vector<Place> asked_by;           // releases and dependencies
};

// Sorted by name and version, each once.
std::vector<ChartNeed> chart_needs(const Fleet& fleet);

// `helm pull …` into a folder; empty when nobody knows from where.
std::string pull_line(const ChartNeed& need, std::string_view folder);

} // namespace lockstep

// HelmReleases that install Flux itself, and where in their values those of the flux2 chart are.
#pragma once
#include "base/table.h"
#include "index/index.h"

namespace lockstep {

struct SelfRelease {
    EntityId release = no_entity;
    EntityId chart = no_entity; // the local chart, if it is one
    std::string values_key;     // key of the flux2 chart's values; empty: they are the release's own
};

// Local charts that bring Flux: by a dependency on flux2, or by a mirror row (`catalystBlueprint.upstream`).
struct FluxChart {
    EntityId chart = no_entity;
    std::string values_key;
};
std::vector<FluxChart> flux_charts(const Index& index, const Table* mirrors);
std::vector<SelfRelease> releases_of_flux(const Index& index, const std::vector<FluxChart>& charts);

} // namespace lockstep

// HelmReleases of charts that this repository publishes, and the versions that clusters get of them.
#pragma once
#include "deploy/fleet.h"

namespace lockstep {

struct OwnRelease {
    const HelmRelease& release;
    const ReleaseEdges& edges;
    const Object& object;
    std::string subject;
};

// Whole declarations only.
std::vector<OwnRelease> own_releases(const Index& index);
// Flux reads no version where the chart is a folder of a Git repository or a bucket.
bool is_pulled_by_version(const Index& index, const ReleaseEdges& edges);
// Patches and variables may set other versions than the one that is written.
std::vector<Cell> pins_of(const Index& index, const Fleet& fleet, const OwnRelease& one);

} // namespace lockstep

// What a cluster runs, as far as this tree pins it: Kubernetes, and the Helm inside its Flux. Charts are rendered for
// these.
#pragma once
#include "index/index.h"

namespace lockstep {

struct ClusterVersions {
    std::string kubernetes; // `1.33.4`; empty: nothing pins it, or not everything agrees
    bool helm4 = false;     // Flux 2.8 and later
};

// Pins below the cluster's folder come before those of bootstrap files. `folder` may be empty: only the latter.
// `configured`: the config's word on Kubernetes, which comes first.
ClusterVersions cluster_versions(const Index& index, std::string_view folder, const std::string& configured);

} // namespace lockstep

// What a cluster runs, as far as this tree pins it: Kubernetes, and the Helm inside its Flux. Charts are rendered for
// these.
#pragma once
#include "base/semver.h"
#include "helm/helm_version.h"
#include "index/index.h"

namespace lockstep {

struct ClusterVersions {
    std::string kubernetes;      // `1.33.4`; empty: nothing pins it, or not everything agrees
    std::optional<Version> flux; // the oldest that is pinned
    HelmVersion helm;            // the one inside it; without a pin the newest Helm 3
};

// Pins below the cluster's folder come before those of bootstrap files. `folder` may be empty: only the latter.
// `configured`: the config's word on Kubernetes, which comes first.
ClusterVersions cluster_versions(const Index& index, std::string_view folder, const std::string& configured);

} // namespace lockstep

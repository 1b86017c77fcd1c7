// How helm-controller sends what it renders to the API server: Helm 3 by its own merge, Helm 4 by server-side apply,
// which leaves fields that nobody applied as they are.
#pragma once
#include "deploy/cluster_versions.h"
#include "yaml/value.h"

namespace lockstep {

enum class HelmApplies : std::uint8_t {
    client_side,
    server_side,
    as_installed, // as it was first installed: by Flux 2.8 or later server-side, else not
    unknown,
};

// Of an upgrade. `release`: the tree of the HelmRelease.
HelmApplies helm_applies(const Value* release, const ClusterVersions& runs);

} // namespace lockstep

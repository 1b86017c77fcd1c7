// What the Flux Operator makes of a FluxInstance: a source and a Kustomization of one name that are nowhere in Git, and
// that apply a folder of this repository.
#pragma once
#include "deploy/flux_spec.h"
#include "index/index.h"
#include "index/own_sources.h"
#include <functional>

namespace lockstep {

struct OperatorSync {
    EntityId object = no_entity; // the FluxInstance, or the HelmRelease of the chart that makes one
    std::string ns, name;        // of the source and the Kustomization
    Cell kind, url, ref, path;
};

MadeSync made_by(const OperatorSync& sync);

// `tree_of` gives objects as they are written.
std::vector<OperatorSync> operator_syncs(const Index& index, const std::function<const Value*(EntityId)>& tree_of);

} // namespace lockstep

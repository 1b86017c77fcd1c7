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
    EntityId list = no_entity;   // the topmost kustomization that makes it so; none: as it is written
    std::string ns, name;        // of the source and the Kustomization
    Cell kind, url, ref, path;
    Cell version; // of Flux, where it is not written in the object itself
};

MadeSync made_by(const OperatorSync& sync);

// An object as one topmost kustomization makes it.
struct SyncForm {
    EntityId list = no_entity;
    const Value* tree = nullptr;
    std::string ns;                                                                   // empty: not said
    std::function<const Value*(std::string_view kind, std::string_view name)> supply; // what valuesFrom reads
};
using SyncForms = std::function<std::vector<SyncForm>(EntityId object)>;

// Those without a url only say which Flux runs.
std::vector<OperatorSync> operator_syncs(const Index& index, const SyncForms& forms);

} // namespace lockstep

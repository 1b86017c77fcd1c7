// Which Flux Kustomization alone brings an object to its cluster: until that one has run, the object is not there.
#pragma once
#include "deploy/fleet.h"

namespace lockstep {

// The instance that is that Kustomization. no_number where something else, or something that is not proven, applies the
// object too, and for what a cluster begins with.
std::uint32_t sole_applier(const Fleet& fleet, const Instance& object);

} // namespace lockstep

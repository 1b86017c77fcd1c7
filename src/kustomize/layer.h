// The kustomization that is built when Flux puts its own layer on a folder's.
#pragma once
#include "kustomize/kustomization.h"

namespace lockstep {

// `file` is the folder's own, or null. Views into the layer and the arena.
KustomizationFile with_layer(const KustomizationFile* file, const ExtraLayer& layer, Arena& arena);

} // namespace lockstep

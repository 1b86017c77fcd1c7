// The order in which resources are written.
#pragma once
#include "kustomize/transformers.h"

namespace lockstep {

// `options` is the kustomization's sortOptions, or null: then legacy, or as they came with `keep`.
Failure sort_resources(Resources& resources, const Value* options, bool keep);

} // namespace lockstep

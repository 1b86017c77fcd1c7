// What a HelmRelease says about its chart's values and about what comes out: valuesFrom, values, valuesFiles,
// postRenderers.
#pragma once
#include "deploy/rendered_chart.h"
#include "kustomize/build.h"

namespace lockstep {

// The ConfigMap or Secret of this kind and name that the release reads; nullptr when this tree does not show it.
using SupplierOf = std::function<const Value*(std::string_view kind, std::string_view name)>;

// Fills the values of the request, weakest first. Returns why not all of them are known; empty: they are.
std::string values_of_release(const Value* release, const SupplierOf& supply, const Index& index,
                              const ChartLibrary& charts, ChartRequest& request);

// `patchesStrategicMerge` and `patchesJson6902`, which hold their patches as trees.
void add_older_patches(const Value& owner, Arena& arena, ExtraLayer& layer);
// Patches and images of spec.postRenderers, for kustomize.
void add_post_renderers(const Value* release, Arena& arena, ExtraLayer& layer);

} // namespace lockstep

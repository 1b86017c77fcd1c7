// What a HelmRelease says about its chart's values: valuesFiles, valuesFrom, values.
#pragma once
#include "deploy/rendered_chart.h"
#include <functional>

namespace lockstep {

// The ConfigMap or Secret of this kind and name that the release reads; nullptr when this tree does not show it.
using SupplierOf = std::function<const Value*(std::string_view kind, std::string_view name)>;

// Fills the values of the request, weakest first. Returns why not all of them are known; empty: they are.
std::string values_of_release(const Value* release, const SupplierOf& supply, ChartRequest& request);

} // namespace lockstep

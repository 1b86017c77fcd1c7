// helmCharts of kustomizations, rendered like the charts of releases.
#pragma once
#include "deploy/rendered_chart.h"
#include "kustomize/helm_charts.h"

namespace lockstep {

// All must outlive the function.
std::function<InflatedChart(const ChartEntry&)> chart_inflater(const Tree& tree, const Index& index,
                                                               const ChartLibrary& library, std::string kubernetes);

} // namespace lockstep

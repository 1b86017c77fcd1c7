// Renders helmCharts for `lockstep build` of a folder on disk.
#pragma once
#include "kustomize/helm_charts.h"
#include <optional>

namespace lockstep {

// `find_file` numbers files by absolute paths without their first slash.
std::function<InflatedChart(const ChartEntry&)>
disk_chart_inflater(std::function<std::optional<FileId>(std::string_view)> find_file);

} // namespace lockstep

// The pages of `lockstep charts`.
#pragma once
#include "deploy/chart_needs.h"
#include "tree/locate.h"

namespace lockstep {

std::string charts_text(const std::vector<ChartNeed>& needs, std::string_view folder, Locator& locator);
std::string charts_json(const std::vector<ChartNeed>& needs, std::string_view folder, Locator& locator);

} // namespace lockstep

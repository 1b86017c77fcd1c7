// Charts of a kustomization as it hands them to Helm. Whoever can render them is handed in with the Loader; without one
// they are gaps.
#pragma once
#include "base/span.h"
#include "yaml/value.h"
#include <functional>
#include <string>
#include <vector>

namespace lockstep {

struct ChartEntry {
    std::string_view folder;      // of the kustomization
    std::string_view home;        // helmGlobals.chartHome, relative to the folder
    const Value* entry = nullptr; // of helmCharts, helmChartInflationGenerator or generators

    // By its name in `helmCharts`, else by the one in `helmChartInflationGenerator`.
    std::string_view text(std::string_view name, std::string_view old_name = {}) const {
        const std::string_view found = entry->text_of(name);
        return found.empty() && !old_name.empty() ? entry->text_of(old_name) : found;
    }
    std::string_view name() const { return text("name", "chartName"); }
};

struct InflatedDocument {
    std::string_view text; // must stay where it is while the builder lives
    FileId file = no_file; // that its nodes count in until `place` puts them right
    Place at;              // where it begins
    std::function<void(Value& tree)> place;
};

struct InflatedChart {
    std::vector<InflatedDocument> documents; // in Helm's order
    std::vector<std::string> gaps;           // what is not there, and why
    std::string error;                       // in Helm's words
};

} // namespace lockstep

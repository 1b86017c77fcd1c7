// `lockstep build CHART`: what `helm template` prints, made here, and where each line comes from.
#pragma once
#include "base/result.h"
#include <string>
#include <vector>

namespace lockstep {

struct ChartBuild {
    std::string chart;                         // a folder with a Chart.yaml, or a .tgz
    std::vector<std::string> values = {};      // --values: files, later ones win
    std::vector<std::string> sets = {};        // --set
    std::vector<std::string> string_sets = {}; // --set-string
    std::string release = "release-name";
    std::string release_namespace = "default";
    std::string kube_version = {}; // empty: Helm's default
    std::vector<std::string> api_versions = {};
    std::vector<std::string> show_only = {}; // templates, `templates/x.yaml` or a pattern
    bool include_crds = false;
    bool places = false;
};

bool is_chart(const std::string& path); // a folder with a Chart.yaml, or a packed chart
// The text for stdout. An error has Helm's reason and the template's place.
Result<std::string> build_chart(const ChartBuild& build);

} // namespace lockstep

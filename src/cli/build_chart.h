// `lockstep build CHART`: what `helm template` prints, made here, and where each line comes from.
#pragma once
#include "base/result.h"
#include "cli/built_objects.h"
#include <memory>

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
    BuiltForm form = {};
    bool apart = false; // objects, not one text
};

struct BuiltChart {
    std::string text;
    std::vector<BuiltObject> objects; // `apart`, or as JSON
    std::shared_ptr<Arena> arena = std::make_shared<Arena>();
};

bool is_chart(const std::string& path); // a folder with a Chart.yaml, or a packed chart
// An error has Helm's reason and the template's place.
Result<BuiltChart> build_chart(const ChartBuild& build);

} // namespace lockstep

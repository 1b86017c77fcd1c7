// A chart and the values of one release into manifests, as `helm template` writes them, every byte with its origin.
#pragma once
#include "helm/chart.h"
#include "helm/template_uses.h"

namespace lockstep {

struct RenderOptions {
    std::string release = "release-name";
    std::string release_namespace = "default";
    std::string kube_version = "1.36.0";        // with or without `v`
    std::vector<std::string> api_versions = {}; // on top of what Helm knows
    bool include_crds = false;
    bool is_upgrade = false;
    HelmVersion helm = newest_helm3; // releases differ about nulls among values, documents and functions
    // A dependency that is not at hand: an error as in Helm, or a gap around which the rest is rendered.
    bool missing_dependency_is_gap = false;
    bool skip_schema = false;
    // Every template that fails is told, and what the others make is there: Helm stops at the first.
    bool keep_going = false;
    // A cluster may serve API versions that are not in the list: `Has` is unknown where it would be false.
    bool open_api_versions = false;
    TemplateLimits limits = {};
};

struct RenderedManifest {
    std::string template_path; // `chart/templates/x.yaml`, as `# Source:` names it
    GoValue text;              // the document, trimmed; its pieces say where it came from
    std::string kind, name;
    std::vector<std::string> hooks; // events; none for what is part of the release
    bool crd = false;               // from crds/
};

struct RenderFailure {
    std::string message;       // Helm's reason
    std::vector<Place> places; // innermost first
    bool rendering = false;    // while rendering, not while loading: Helm then hints at --debug
    bool unknown = false;      // something unknown decided
    bool limit = false;
};

struct RenderGap {
    std::string chart, version, repository;
    Place at;
};

// Owns everything that places, values and manifests point into.
struct ChartRendering {
    explicit ChartRendering(const TemplateLimits& limits = {}) : arena(limits.memory, limits.work) {}
    ValueArena arena;
    ChartStore store;
    LoadedChart* chart = nullptr;
    std::vector<RenderedManifest> manifests; // in the order of `helm template`: crds, release, hooks
    std::optional<RenderFailure> failure;
    std::vector<RenderFailure> more_failures; // with keep_going: those behind the first
    std::vector<RenderGap> gaps;
    std::vector<Place> undecided;       // conditions that hang on something unknown
    std::vector<TemplateUse> undefined; // with keep_going: its own includes of what no chart defines, run or not
    std::vector<PrintedRead> reads;     // with keep_going: values that are printed as they are
    std::vector<std::string> warnings;
};

// `into.chart` is loaded already; `values` are those of the release, below which the chart's own are.
void render_chart(ChartRendering& into, const GoValue& values, const RenderOptions& options);
// All of it as `helm template` prints it.
std::string template_output(const ChartRendering& rendering);

// Parts of it.
GoValue render_values(ChartRendering& into, const LoadedChart& chart, const GoValue& values,
                      const RenderOptions& options, std::vector<std::pair<const LoadedChart*, GoValue>>& scopes);
// Cuts rendered files into documents, and these into hooks and the rest; a failure has Helm's words when one is no
// YAML.
void sort_manifests(ChartRendering& into, std::vector<std::pair<std::string, GoValue>> files,
                    const RenderOptions& options);
std::span<const std::string_view> default_api_versions();

} // namespace lockstep

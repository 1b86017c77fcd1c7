// A chart as it is loaded: metadata, values, templates, files, and the charts inside it. From a list of files, which a
// folder or a packed chart gives.
#pragma once
#include "base/result.h"
#include "helm/go_value.h"
#include "helm/helm_version.h"
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

// The files that places count in. A FileId of a rendering is an index here, not one of a tree.
struct ChartSources {
    std::vector<std::string> paths; // of a packed chart: `charts/x.tgz!templates/a.yaml`
    std::vector<std::shared_ptr<const std::string>> texts;
    FileId add(std::string path, std::shared_ptr<const std::string> text);
};

struct ChartFile {
    std::string name; // from the chart's folder, with '/'
    std::string_view text;
    FileId file = no_file;
};

// Where a chart comes from. `list` names all files below it, `read` gives the bytes of one.
struct ChartReader {
    std::string path; // shown in places; empty for the root of what is read
    std::function<std::vector<std::string>()> list;
    std::function<std::optional<std::string>(const std::string&)> read;
};

struct DeclaredDependency {
    std::string name, version, repository, condition, alias;
    std::vector<std::string> tags;
    GoValue import_values; // a list, or nil
    bool enabled = true;
    const ValueOrigin* decided_by = nullptr; // the value of its condition, or those of its tags
    Place at;
};

struct ChartMetadata {
    std::string api_version, name, version, app_version, kube_version, type, description, home, icon, condition, tags;
    std::vector<std::string> sources, keywords;
    struct Maintainer {
        std::string name, email, url;
    };
    std::vector<Maintainer> maintainers;
    GoValue annotations;                                           // map[string]string, or nil
    std::vector<std::shared_ptr<DeclaredDependency>> dependencies; // Helm 3 shares them between names of one chart
    bool has_dependencies = false;                                 // the key is there
    bool deprecated = false;
    Place name_at, version_at, app_version_at;
};

struct LoadedChart {
    ChartMetadata meta;
    std::vector<ChartFile> templates, files;
    GoValue values; // a map, or nil where there is no values.yaml
    std::optional<ChartFile> schema;
    LoadedChart* parent = nullptr;
    std::vector<LoadedChart*> dependencies;
    const ValueOrigin* decided_by = nullptr; // what switched it on, and the charts around it

    const std::string& name() const { return meta.name; }
    std::string full_path() const { return parent ? parent->full_path() + "/charts/" + name() : name(); }
};

// All charts of one rendering: copies made for aliases included.
struct ChartStore {
    ChartSources sources;
    std::vector<std::unique_ptr<LoadedChart>> charts;
    LoadedChart* add(LoadedChart chart);
};

// An error has Helm's words.
Result<LoadedChart*> load_chart(ValueArena& arena, ChartStore& store, const ChartReader& reader);
Result<LoadedChart*> load_packed_chart(ValueArena& arena, ChartStore& store, std::string_view tgz,
                                       const std::string& path);
// Chart.yaml or requirements.yaml into metadata, with Helm's rules for what is a string.
std::string read_metadata(ValueArena& arena, const ChartFile& file, ChartMetadata& meta);
std::string validate_metadata(ChartMetadata& meta);

// Values that Helm refuses, in its words; no message: all is well.
struct ValuesRefusal {
    std::string message = {};
    const ValueOrigin* origin = nullptr;
};
// Chart values under given ones: tables are merged, a null takes a default away.
GoValue coalesce_values(ValueArena& arena, const LoadedChart& chart, const GoValue& given, HelmVersion helm,
                        ValuesRefusal& refusal);
// The same, and nulls stay.
GoValue merge_values(ValueArena& arena, const LoadedChart& chart, const GoValue& given, HelmVersion helm,
                     ValuesRefusal& refusal);
// Both tables' entries in the first; `merge`: nulls stay.
void coalesce_tables(ValueArena& arena, GoMap& into, GoMap& from, HelmVersion helm, bool merge);
// A later values file over an earlier one.
GoValue merge_maps(ValueArena& arena, const GoValue& below, const GoValue& above);
// `a.b[0]=x,c={1,2}` into values; the words of the error, empty when it went well.
std::string set_values(ValueArena& arena, GoValue& values, std::string_view text, bool as_strings, HelmVersion helm,
                       const ValueOrigin* origin);

// Conditions, tags, aliases and import-values: what is left are the charts that are on.
ValuesRefusal process_dependencies(ValueArena& arena, ChartStore& store, LoadedChart& chart, const GoValue& given,
                                   HelmVersion helm);
bool version_in_range(std::string_view range, std::string_view version);
struct SchemaVerdict {
    std::string complaints; // in the words of the validator that Helm has; empty when all is well
    std::string limit;      // what was too much to look at; nothing is known then
};

// What values.schema.json of a chart and those inside it say.
SchemaVerdict validate_schemas(ValueArena& arena, const LoadedChart& chart, const GoValue& values);

} // namespace lockstep

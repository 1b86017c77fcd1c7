// Reads a chart from disk, renders it, and prints the documents with or without their places.
#include "cli/build_chart.h"
#include "base/semver.h"
#include "cli/chart_files.h"
#include "helm/line_places.h"
#include "helm/yaml_read.h"
#include "kustomize/ids.h"
#include "tree/wildmatch.h"
#include "yaml/parse.h"
#include <algorithm>
#include <filesystem>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

Result<LoadedChart*> load(ChartRendering& rendering, const std::string& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
        std::string problem;
        Result<LoadedChart*> chart = load_chart(rendering.arena, rendering.store, folder_reader(path, problem));
        if (!problem.empty()) return Error{problem, path};
        return chart;
    }
    const auto packed = file_bytes(path);
    if (!packed) return Error{path + " cannot be read"};
    return load_packed_chart(rendering.arena, rendering.store, *packed, path);
}

Result<GoValue> given_values(ChartRendering& rendering, const ChartBuild& build) {
    GoValue values = make_map(rendering.arena);
    for (const std::string& path : build.values) {
        auto text = file_bytes(path);
        if (!text) return Error{"the values file cannot be read", path};
        auto kept = std::make_shared<const std::string>(std::move(*text));
        const FileId file = rendering.store.sources.add(path, kept);
        YamlRead read = read_yaml(rendering.arena, *kept, file);
        if (read.error.empty()) read.error = wrong_for_map(read.value);
        if (!read.error.empty()) return Error{"failed to parse " + path + ": " + read.error};
        values = merge_maps(rendering.arena, values, read.value);
    }
    values = deep_copy(rendering.arena, values);
    const auto set = [&](const std::string& text, bool as_strings) -> std::string {
        auto kept = std::make_shared<const std::string>(text);
        const auto size = static_cast<std::uint32_t>(text.size());
        const FileId file = rendering.store.sources.add(as_strings ? "--set-string" : "--set", kept);
        const ValueOrigin* origin = make_origin(rendering.arena, {file, {0, size}});
        const std::string wrong = set_values(rendering.arena, values, *kept, as_strings, newest_helm3, origin);
        return wrong.empty() ? wrong
                             : std::string("failed parsing --set") + (as_strings ? "-string" : "") + " data: " + wrong;
    };
    for (const std::string& text : build.sets)
        if (std::string wrong = set(text, false); !wrong.empty()) return Error{wrong};
    for (const std::string& text : build.string_sets)
        if (std::string wrong = set(text, true); !wrong.empty()) return Error{wrong};
    return values;
}

struct ShownLine {
    std::string from, text;
};

std::string shown_places(const PlacedLine& line, const LinePlacer& placer) {
    std::string out;
    for (const SourceLines place : line.places)
        out += (out.empty() ? "" : " <- ") + placer.name(place);
    return out + (line.unknown ? " (unknown)" : "");
}

std::string with_places(ChartRendering& rendering) {
    LinePlacer placer(rendering);
    std::vector<ShownLine> lines;
    for (const RenderedManifest& manifest : rendering.manifests) {
        lines.push_back({"", "---"});
        lines.push_back({"", "# Source: " + manifest.template_path});
        for (const PlacedLine& line : placer.lines(manifest))
            lines.push_back({shown_places(line, placer), std::string(line.text)});
    }
    constexpr std::size_t widest = 60; // a line with many places pushes its own text aside, not that of all others
    std::size_t width = 0;
    for (const ShownLine& line : lines)
        width = std::max(width, std::min(line.from.size(), widest));
    std::string out;
    for (ShownLine& line : lines) {
        if (line.from.size() < width) line.from.resize(width, ' ');
        out += line.from + " | " + line.text + "\n";
    }
    return out;
}

std::vector<BuiltObject> objects_of(const ChartRendering& rendering, const BuiltForm& form, Arena& arena) {
    std::vector<BuiltObject> objects;
    for (const RenderedManifest& manifest : rendering.manifests) {
        const std::string_view text = arena.keep(manifest.text.str()); // ids are views into it
        const YamlText yaml = parse_yaml(text);
        if (yaml.documents.empty() || yaml.documents.front().root == no_node) continue;
        const Value* tree = value_of({&yaml, yaml.documents.front().root}, no_file, arena);
        if (!tree || !tree->is_mapping()) continue;
        ResourceId id;
        split_api_version(tree->text_of("apiVersion"), id.group, id.version);
        id.kind = tree->text_of("kind");
        if (const Value* metadata = tree->get("metadata"); metadata && metadata->is_mapping()) {
            id.ns = metadata->text_of("namespace");
            id.name = metadata->text_of("name");
        }
        BuiltObject one = built_object(id, *tree, form);
        one.yaml = std::string(text) + "\n"; // as Helm writes it
        objects.push_back(std::move(one));
    }
    return objects;
}

// Labels with dots between them: letters, digits, and dashes inside.
bool is_release_name(std::string_view name) {
    const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    if (name.size() > 53) return false;
    for (std::size_t dot = 0; dot != std::string_view::npos; name.remove_prefix(std::min(dot + 1, name.size()))) {
        dot = name.find('.');
        const std::string_view label = name.substr(0, dot);
        if (label.empty() || !is_plain(label.front()) || !is_plain(label.back()) ||
            !std::all_of(label.begin(), label.end(), [&](char c) { return is_plain(c) || c == '-'; }))
            return false;
    }
    return true;
}

// As Helm refuses them.
std::optional<Error> wrong_option(const ChartBuild& build) {
    if (!build.kube_version.empty() && !parse_version(build.kube_version))
        return Error{"invalid kube version '" + build.kube_version + "': invalid semantic version"};
    if (!is_release_name(build.release))
        return Error{"release name \"" + build.release +
                     "\": invalid release name, must match regex "
                     "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$ and the length must not be "
                     "longer than 53"};
    return std::nullopt;
}

bool is_shown(const ChartBuild& build, const RenderedManifest& manifest) {
    if (build.show_only.empty()) return true;
    const std::string path = manifest.template_path.substr(manifest.template_path.find('/') + 1);
    return std::any_of(build.show_only.begin(), build.show_only.end(),
                       [&](const std::string& wanted) { return WildPattern(wanted).matches(path); });
}

} // namespace

bool is_chart(const std::string& path) {
    std::error_code error;
    return fs::is_regular_file(path + "/Chart.yaml", error) ||
           (path.ends_with(".tgz") && fs::is_regular_file(path, error));
}

Result<BuiltChart> build_chart(const ChartBuild& build) {
    if (auto wrong = wrong_option(build)) return *wrong;
    ChartRendering rendering;
    Result<LoadedChart*> chart = load(rendering, build.chart);
    if (!chart) return Error{chart.error().message, build.chart};
    rendering.chart = *chart;
    Result<GoValue> values = given_values(rendering, build);
    if (!values) return values.error();
    RenderOptions options;
    options.release = build.release;
    options.release_namespace = build.release_namespace;
    options.api_versions = build.api_versions;
    options.include_crds = build.include_crds;
    if (!build.kube_version.empty()) options.kube_version = build.kube_version;
    render_chart(rendering, *values, options);
    if (rendering.failure) {
        Error error{rendering.failure->message};
        for (const Place place : rendering.failure->places) {
            if (place.file == no_file) continue;
            error.path = rendering.store.sources.paths[place.file];
            error.at = LineTable(*rendering.store.sources.texts[place.file]).position(place.span.begin);
            break;
        }
        return error;
    }
    for (const std::string& wanted : build.show_only) {
        ChartBuild one;
        one.show_only = {wanted};
        const bool found = std::any_of(rendering.manifests.begin(), rendering.manifests.end(),
                                       [&](const RenderedManifest& manifest) { return is_shown(one, manifest); });
        if (!found) return Error{"could not find template " + wanted + " in chart"};
    }
    std::erase_if(rendering.manifests, [&](const RenderedManifest& manifest) { return !is_shown(build, manifest); });
    BuiltChart made;
    if (build.apart || (build.form.json && !build.form.places))
        made.objects = objects_of(rendering, build.form, *made.arena);
    else
        made.text = build.form.places ? with_places(rendering) : template_output(rendering);
    return made;
}

} // namespace lockstep

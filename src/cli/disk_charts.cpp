// helmCharts of a kustomization on disk: charts of its chart home, rendered as kustomize lets Helm render them.
#include "cli/disk_charts.h"
#include "cli/build_chart.h"
#include "cli/chart_files.h"
#include "helm/render.h"
#include "helm/yaml_read.h"
#include "index/cells.h"
#include "yaml/emit.h"
#include <algorithm>
#include <filesystem>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr FileId rendered_file = no_file - 1; // stands for a document until its places are put right

// Puts the places of templates and values into a tree that was read from a document.
class Placer {
public:
    Placer(std::shared_ptr<ChartRendering> rendering, GoValue text,
           std::function<std::optional<FileId>(std::string_view)> find)
        : rendering_(std::move(rendering)), text_(text), find_(std::move(find)) {}

    void operator()(Value& value) const {
        if (value.place.file == rendered_file) {
            const Span span = value.place.span;
            value.place = {};
            const ValueOrigin* origin =
                origin_of_part(rendering_->arena, text_, span.begin, std::max(span.end, span.begin + 1));
            value.unknown = value.unknown || (value.is_scalar() && origin != nullptr && origin->unknown);
            for (const Place place : origin_places(origin, 10)) {
                const std::string& path = rendering_->store.sources.paths[place.file];
                const auto file = path.empty() ? std::nullopt : find_(std::string_view(path).substr(1));
                if (!file) continue;
                const bool is_template = path.find("/templates/") != std::string::npos;
                Place& into = is_template ? value.place : value.changed_by;
                if (!is_there(into) && (is_template || value.is_scalar())) into = {*file, place.span};
            }
            if (!is_there(value.place)) value.place = value.changed_by;
        }
        for (Value* child : value.all())
            (*this)(*child);
    }

private:
    std::shared_ptr<ChartRendering> rendering_;
    GoValue text_;
    std::function<std::optional<FileId>(std::string_view)> find_;
};

std::string add_text(ChartRendering& rendering, const std::string& path, std::string text, GoValue& values) {
    auto kept = std::make_shared<const std::string>(std::move(text));
    const FileId file = rendering.store.sources.add(path, kept);
    YamlRead read = read_yaml(rendering.arena, *kept, file);
    if (read.error.empty()) read.error = wrong_for_map(read.value);
    if (read.error.empty()) values = merge_maps(rendering.arena, values, read.value);
    return read.error;
}

// The words of the error; empty: all went well.
std::string given_values(ChartRendering& rendering, const ChartEntry& asked, GoValue& values) {
    const std::string folder = "/" + std::string(asked.folder) + "/";
    const auto add_file = [&](std::string_view name) -> std::string {
        const std::string path = folder + std::string(name);
        auto text = file_bytes(path);
        if (!text) return "open " + path + ": no such file or directory";
        return add_text(rendering, path, std::move(*text), values);
    };
    const auto add_inline = [&]() -> std::string {
        const Value* tree = asked.entry->get("valuesInline");
        if (!tree || !tree->is_mapping()) return {};
        std::string text;
        emit_yaml(*tree, text, {false, nullptr});
        return add_text(rendering, {}, std::move(text), values);
    };
    const std::string_view merge = asked.text("valuesMerge"), file = asked.text("valuesFile", "values");
    std::string wrong;
    if (merge == "merge") wrong = add_inline();
    if (wrong.empty() && !file.empty() && merge != "replace") wrong = add_file(file);
    if (wrong.empty() && merge != "merge") wrong = add_inline();
    if (const Value* more = asked.entry->get("additionalValuesFiles"))
        for (const Value* item : more->items())
            if (wrong.empty()) wrong = add_file(item->text);
    values = deep_copy(rendering.arena, values);
    return wrong;
}

std::string folder_of(const ChartEntry& asked) {
    const std::string name(asked.name()), version(asked.text("version", "chartVersion"));
    const std::string home = "/" + std::string(asked.folder) + "/" + std::string(asked.home) + "/";
    for (const std::string& dir : {home + name, home + name + "-" + version + "/" + name})
        if (!name.empty() && is_chart(dir)) return fs::path(dir).lexically_normal().string();
    return {};
}

} // namespace

std::function<InflatedChart(const ChartEntry&)>
disk_chart_inflater(std::function<std::optional<FileId>(std::string_view)> find_file) {
    auto kept = std::make_shared<std::vector<std::shared_ptr<ChartRendering>>>(); // texts must stay
    return [find_file = std::move(find_file), kept](const ChartEntry& asked) {
        InflatedChart made;
        const std::string folder = folder_of(asked);
        if (folder.empty()) {
            made.gaps.push_back("it is not in " + std::string(asked.home));
            return made;
        }
        const auto rendering = kept->emplace_back(std::make_shared<ChartRendering>());
        std::string problem;
        ChartReader reader = folder_reader(folder, problem);
        reader.path = folder;
        const Result<LoadedChart*> chart = load_chart(rendering->arena, rendering->store, reader);
        if (!chart || !problem.empty()) {
            made.error = problem.empty() ? chart.error().message : problem;
            return made;
        }
        rendering->chart = *chart;
        GoValue values = make_map(rendering->arena);
        made.error = given_values(*rendering, asked, values);
        if (!made.error.empty()) return made;
        RenderOptions options;
        if (const auto name = asked.text("releaseName"); !name.empty()) options.release = name;
        if (const auto ns = asked.text("namespace", "releaseNamespace"); !ns.empty()) options.release_namespace = ns;
        if (const auto version = asked.text("kubeVersion"); !version.empty()) options.kube_version = version;
        if (const Value* versions = asked.entry->get("apiVersions"))
            for (const Value* one : versions->items())
                options.api_versions.emplace_back(one->text);
        options.include_crds = asked.text("includeCRDs") == "true";
        render_chart(*rendering, values, options);
        if (rendering->failure) {
            made.error = rendering->failure->message;
            return made;
        }
        for (const RenderedManifest& manifest : rendering->manifests) {
            const bool test = std::any_of(manifest.hooks.begin(), manifest.hooks.end(),
                                          [](const std::string& event) { return event.starts_with("test"); });
            if (!manifest.hooks.empty() && asked.text("skipHooks") == "true") continue;
            if (test && asked.text("skipTests") == "true") continue;
            made.documents.push_back(
                {manifest.text.str(), rendered_file, {}, Placer(rendering, manifest.text, find_file)});
        }
        return made;
    };
}

} // namespace lockstep

// Renders charts of kustomizations: from their chart home, from this repository, or from a cache.
#include "deploy/inflated_charts.h"
#include "index/cells.h"
#include "index/links.h"
#include <algorithm>
#include <mutex>

namespace lockstep {
namespace {

constexpr FileId rendered_file = no_file - 1; // stands for a document until its places are put right

struct Kept { // documents must stay while the builder lives
    std::mutex busy;
    std::vector<std::shared_ptr<const RenderedChart>> charts;
};

class Inflater {
public:
    Inflater(const Tree& tree, const Index& index, const ChartLibrary& library, std::string kubernetes)
        : tree_(tree), index_(index), library_(library), kubernetes_(std::move(kubernetes)) {}

    InflatedChart operator()(const ChartEntry& asked) const {
        InflatedChart made;
        ChartRequest request;
        if (!find(asked, request)) {
            const std::string version(asked.text("version", "chartVersion"));
            made.gaps.push_back("it is not at hand" + (version.empty() ? "" : " in " + version));
            return made;
        }
        request.release = named(asked.text("releaseName"), "release-name");
        request.ns = named(asked.text("namespace", "releaseNamespace"), "default");
        request.kube_version = named(asked.text("kubeVersion"), kubernetes_);
        request.crds = is_true(asked, "includeCRDs");
        if (std::string why = add_values(asked, request); !why.empty()) {
            made.gaps.push_back(std::move(why));
            return made;
        }
        auto chart = std::make_shared<const RenderedChart>(render_request(library_, tree_, request));
        {
            const std::scoped_lock lock(kept_->busy);
            kept_->charts.push_back(chart);
        }
        take(asked, *chart, made);
        return made;
    }

private:
    static std::string named(std::string_view text, std::string_view otherwise) {
        return std::string(text.empty() ? otherwise : text);
    }
    static bool is_true(const ChartEntry& asked, std::string_view key) { return asked.text(key) == "true"; }

    bool find(const ChartEntry& asked, ChartRequest& request) const {
        const std::string name(asked.name()), version(asked.text("version", "chartVersion"));
        if (name.empty()) return false;
        const auto home = join_path(asked.folder, asked.home);
        if (home)
            for (const std::string& dir : {*home + "/" + name, *home + "/" + name + "-" + version + "/" + name})
                if (const auto local = index_.chart_by_dir.find(dir); local != index_.chart_by_dir.end()) {
                    request.chart = local->second;
                    return true;
                }
        const std::string registry = registry_key(std::string(asked.text("repo", "chartRepoUrl")));
        if (!registry.empty() && is_own_registry(index_, registry))
            for (EntityId id = 0; id < index_.charts.size(); ++id)
                if (const Chart& chart = index_.charts[id]; !chart.subchart && chart.name.text == name &&
                                                            is_known(chart.version) && chart.version.text == version) {
                    request.chart = id;
                    return true;
                }
        request.archive = version.empty() ? nullptr : library_.archive(name, version);
        return request.archive != nullptr;
    }

    // Why a part of them is not known; empty: they are.
    std::string add_values(const ChartEntry& asked, ChartRequest& request) const {
        const std::string_view merge = asked.text("valuesMerge");
        ValuesPart inline_values;
        inline_values.tree = asked.entry->get("valuesInline");
        if (inline_values.tree) inline_values.place = inline_values.tree->place;
        const auto add_inline = [&] {
            if (inline_values.tree && inline_values.tree->is_mapping()) request.values.push_back(inline_values);
        };
        std::vector<std::string_view> files;
        if (const auto file = asked.text("valuesFile", "values"); !file.empty() && merge != "replace")
            files.push_back(file);
        if (merge == "merge") add_inline();
        for (const std::string_view file : files)
            if (std::string why = add_file(asked, file, request); !why.empty()) return why;
        if (merge != "merge") add_inline();
        if (const Value* more = asked.entry->get("additionalValuesFiles"))
            for (const Value* file : more->items())
                if (std::string why = add_file(asked, file->text, request); !why.empty()) return why;
        return {};
    }

    std::string add_file(const ChartEntry& asked, std::string_view path, ChartRequest& request) const {
        const auto joined = join_path(asked.folder, path);
        const auto file = joined ? tree_.find(*joined) : std::nullopt;
        auto text = file ? library_.bytes(*file) : std::nullopt;
        if (!text) return "the values file " + std::string(path) + " is not in this tree";
        ValuesPart part;
        part.place = {*file, {0, static_cast<std::uint32_t>(text->size())}};
        part.text = std::move(*text);
        part.linear = true;
        request.values.push_back(std::move(part));
        return {};
    }

    static void take(const ChartEntry& asked, const RenderedChart& chart, InflatedChart& made) {
        if (!chart.problems.empty()) {
            if (!chart.missing.empty() || chart.problems.front().unknown)
                made.gaps.push_back(chart.why_not());
            else
                made.error = chart.problems.front().message;
            return;
        }
        for (const DependencyOutcome& missing : chart.missing)
            made.gaps.push_back(words_for_missing(missing));
        if (!chart.undecided.empty()) made.gaps.push_back("a value that only the cluster knows decides what it has");
        for (const RenderedDocument& document : chart.documents) {
            const auto has = [&](std::string_view event) {
                return std::find(document.hooks.begin(), document.hooks.end(), event) != document.hooks.end();
            };
            if (document.unknown || (!document.hooks.empty() && is_true(asked, "skipHooks"))) continue;
            if (is_true(asked, "skipTests") && (has("test") || has("test-success"))) continue;
            made.documents.push_back({document.text, rendered_file, document.at,
                                      [&document](Value& tree) { place_rendered(tree, rendered_file, document); }});
        }
    }

    const Tree& tree_;
    const Index& index_;
    const ChartLibrary& library_;
    std::string kubernetes_;
    std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();
};

} // namespace

std::function<InflatedChart(const ChartEntry&)> chart_inflater(const Tree& tree, const Index& index,
                                                               const ChartLibrary& library, std::string kubernetes) {
    return Inflater(tree, index, library, std::move(kubernetes));
}

} // namespace lockstep

// kustomization.yaml files among a chart's templates: Helm renders whatever its ignore file does not name.
#include "index/side_paths.h"
#include "rules/check.h"
#include "tree/helmignore.h"
#include <map>

namespace lockstep::kustomization_in_chart {
namespace {

struct Use {
    Place place; // file == no_file: nothing in the tree installs the chart
    std::string by;
};

std::map<EntityId, Use> uses_of_charts(const Index& index) {
    std::map<EntityId, Use> uses;
    for (EntityId id = 0; id < index.releases.size(); ++id) {
        const Object& object = index.objects[index.releases[id].object];
        if (object.partial || object.as_patch || index.release_edges[id].chart == no_entity) continue;
        uses.emplace(index.release_edges[id].chart, Use{object.name.place, "released by " + object.name.text});
    }
    for (const DependencyEdge& edge : index.dependency_edges)
        if (edge.local != no_entity) {
            const Chart& chart = index.charts[edge.chart];
            uses.emplace(edge.local,
                         Use{chart.dependencies[edge.dependency].name.place, "a dependency of " + chart.name.text});
        }
    return uses;
}

struct Judge {
    const CheckInput& input;
    RuleOutcome& outcome;
    const std::map<EntityId, Use> uses;

    void operator()(EntityId id, FileId file, FileId ignore_file, bool ignored) const {
        const Index& index = input.repository.index;
        const Chart& chart = index.charts[id];
        const Tree& tree = *input.repository.tree;
        const std::string& path = tree.files[file].path;
        Place place{file, {}};
        const auto made = index.kustomization_by_dir.find(std::string(directory_of(path)));
        // The name alone says nothing: a chart may render Flux's Kustomization from a file that is called so.
        const bool is_kustomize =
            made != index.kustomization_by_dir.end() && index.kustomizations[made->second].file == file;
        if (is_kustomize) place.span.begin = place.span.end = index.kustomizations[made->second].place.span.begin;
        if (ignored) return outcome.pass(place, path);
        if (!is_kustomize) return outcome.undecided(place, path, "no kustomization of kustomize was read from it");
        if (is_side_path(index, file)) return outcome.undecided(place, path, "a sample by its path");
        const bool with_ignore = ignore_file != no_file;
        if (with_ignore && tree.files[ignore_file].state != FileState::read)
            return outcome.undecided(place, path, "the chart's .helmignore could not be read");
        Finding finding;
        finding.rule = input.rule.id;
        finding.message =
            "Helm renders this file as a manifest of the chart " + chart.name.text +
            ", and no API server knows kustomize's own Kustomization: " +
            (with_ignore ? tree.files[ignore_file].path + " does not name it" : "the chart has no .helmignore");
        finding.place = place;
        const auto use = uses.find(id);
        finding.severity = use != uses.end() ? input.rule.severity : Severity::warning;
        finding.related.push_back({chart.name.place, "the chart"});
        if (use != uses.end()) finding.related.push_back({use->second.place, use->second.by});
        if (with_ignore) finding.related.push_back({{ignore_file, {}}, "does not name it"});
        finding.cause = "chart " + chart.dir;
        outcome.fail(path, std::move(finding));
    }
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;
    const Judge judge{input, outcome, uses_of_charts(index)};
    for (EntityId id = 0; id < index.charts.size(); ++id) {
        const Chart& chart = index.charts[id];
        const std::size_t prefix = chart.dir.empty() ? 0 : chart.dir.size() + 1;
        const std::string ignore_path = chart.dir.empty() ? ".helmignore" : chart.dir + "/.helmignore";
        const FileId ignore_file = chart.helmignore ? tree.find(ignore_path).value_or(no_file) : no_file;
        const HelmIgnore ignore(ignore_file != no_file ? input.text(ignore_file) : "");
        for (FileId file : chart.templates) {
            const std::string_view path = tree.files[file].path;
            if (is_kustomization_name(file_name_of(path)))
                judge(id, file, ignore_file, ignore.ignores(path.substr(prefix)));
        }
    }
}

} // namespace

constexpr NativeCheck check{run, "ignore"};

} // namespace lockstep::kustomization_in_chart

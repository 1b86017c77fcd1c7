// Looks for the controllers' Deployments in rendered documents.
#include "checks/flux_rendered.h"
#include "deploy/fleet.h"
#include "deploy/nodes.h"
#include "deploy/rendered_chart.h"
#include "index/cells.h"
#include "index/flux_self.h"
#include "index/side_paths.h"
#include "yaml/parse.h"
#include "yaml/plain_type.h"
#include <algorithm>

namespace lockstep {
namespace {

struct Controller {
    std::string_view name, values_key;
};
constexpr Controller controllers[] = {{"source-controller", "sourceController"},
                                      {"kustomize-controller", "kustomizeController"},
                                      {"helm-controller", "helmController"},
                                      {"notification-controller", "notificationController"}};

constexpr FileId rendered_file = no_file - 1; // stands for the document while its places are put right

bool is_named(std::string_view text, std::string_view name) {
    return text == name || (text.ends_with(name) && text[text.size() - name.size() - 1] == '-');
}

class RenderedFlux {
public:
    RenderedFlux(const CheckInput& input, RuleOutcome& outcome)
        : input_(input), index_(input.repository.index), nodes_(input.repository), outcome_(outcome) {}

    void judge(const FluxChart& flux, const RenderedChart& rendered, const ReleaseRow* release) {
        const Chart& chart = index_.charts[flux.chart];
        const std::string subject = chart.dir + ":rendered" + (release ? " " + std::to_string(release->maker) : "");
        const auto wanted = std::find_if(chart.dependencies.begin(), chart.dependencies.end(),
                                         [](const ChartDependency& one) { return one.name.text == "flux2"; });
        if (wanted == chart.dependencies.end()) return;
        const bool missing = std::any_of(rendered.missing.begin(), rendered.missing.end(),
                                         [&](const DependencyOutcome& one) { return one.name == flux.values_key; });
        if (missing) return outcome_.undecided(wanted->name.place, subject, "chart flux2 is not at hand");
        if (!rendered.problems.empty())
            return outcome_.undecided(wanted->name.place, subject, "the chart does not render");
        if (release && !release->doubt.empty()) return outcome_.undecided(wanted->name.place, subject, release->doubt);
        if (const Cell off = switched_off(chart, *wanted, release); is_set(off)) {
            Finding finding = off_finding("all of its controllers", off.place,
                                          "the condition " + wanted->condition.text + " of the dependency is false");
            finding.related.push_back({wanted->condition.place, "the condition"});
            return outcome_.fail(subject, std::move(finding));
        }
        read(rendered);
        for (const Controller& controller : controllers)
            judge(controller, flux, chart, *wanted, release, subject);
    }

private:
    static Finding off_finding(std::string_view what, Place place, std::string how) {
        Finding finding;
        finding.message = "Flux is installed without " + std::string(what) + ": " + std::move(how);
        finding.place = place;
        return finding;
    }

    // The value at a dotted path: of the release, else of the chart, whose file Helm reads; set where it is false.
    Cell false_at_path(const Chart& chart, std::string_view path, const ReleaseRow* release) {
        const Fleet& fleet = fleet_of(input_.repository);
        if (release) {
            const Value* value = value_at(fleet.tree_of(fleet.instances[release->maker]), {"spec", "values"});
            for (std::string_view rest = path; value && !rest.empty();) {
                const std::string_view step = rest.substr(0, rest.find('.'));
                rest.remove_prefix(std::min(step.size() + 1, rest.size()));
                value = value->is_mapping() ? value->get(step) : nullptr;
            }
            if (const Cell cell = cell_of(value); is_set(cell))
                return is_known(cell) && resolved_tag(cell.text) == "!!bool" && cell.text[0] != 't' ? cell : Cell{};
        }
        for (const FileId file : chart.values_files) {
            if (!input_.repository.tree->files[file].path.ends_with("/values.yaml")) continue;
            for (const DocumentView& document : nodes_.view(file).documents) {
                NodeRef node = document.root;
                for (std::string_view rest = path; node && !rest.empty();) {
                    const std::string_view step = rest.substr(0, rest.find('.'));
                    rest.remove_prefix(std::min(step.size() + 1, rest.size()));
                    node = node.get(step).resolved();
                }
                if (!node || !node.is_scalar()) continue;
                const Cell cell = cell_of(file, node);
                return is_known(cell) && !node.is_quoted() && reads_as_false_v2(cell.text) ? cell : Cell{};
            }
        }
        return {};
    }

    Cell switched_off(const Chart& chart, const ChartDependency& wanted, const ReleaseRow* release) {
        if (!is_known(wanted.condition)) return {};
        return false_at_path(chart, wanted.condition.text, release);
    }

    void read(const RenderedChart& rendered) {
        deployments_.clear();
        for (const RenderedDocument& document : rendered.documents) {
            if (document.text.find("Deployment") == std::string::npos) continue;
            const YamlText yaml = parse_yaml(document.text);
            for (const YamlDocument& one : yaml.documents) {
                if (one.root == no_node) continue;
                Value* tree = value_of({&yaml, one.root}, rendered_file, arena_);
                if (!tree || tree->text_of("kind") != "Deployment") continue;
                place_rendered(*tree, rendered_file, document);
                deployments_.push_back(tree);
            }
        }
    }

    void judge(const Controller& controller, const FluxChart& flux, const Chart& chart, const ChartDependency& wanted,
               const ReleaseRow* release, const std::string& subject) {
        const std::string name = subject + ":" + std::string(controller.name);
        for (const Value* tree : deployments_) {
            if (!is_named(cell_at(tree, {"metadata", "name"}).text, controller.name)) continue;
            const Value* replicas = value_at(tree, {"spec", "replicas"});
            if (!replicas || replicas->text != "0") return outcome_.pass(wanted.name.place, name);
            if (replicas->unknown) return outcome_.undecided(wanted.name.place, name, "replicas is not known");
            Place place = decided_at(*replicas);
            if (!is_there(place)) place = wanted.name.place;
            Finding finding = off_finding(controller.name, place, "it has 0 replicas");
            if (is_there(replicas->place) && replicas->place != place)
                finding.related.push_back({replicas->place, "rendered here"});
            return outcome_.fail(name, std::move(finding));
        }
        const std::string path = flux.values_key + "." + std::string(controller.values_key) + ".create";
        if (is_set(false_at_path(chart, path, release))) return; // told on its own line
        outcome_.fail(
            name, off_finding(controller.name, wanted.name.place, "chart flux2 renders no Deployment of that name"));
    }

    const CheckInput& input_;
    const Index& index_;
    Nodes nodes_;
    RuleOutcome& outcome_;
    Arena arena_;
    std::vector<const Value*> deployments_;
};

} // namespace

void judge_rendered_flux(const CheckInput& input, const std::vector<FluxChart>& charts, RuleOutcome& outcome) {
    if (charts.empty()) return;
    const Index& index = input.repository.index;
    const Fleet& fleet = fleet_of(input.repository);
    RenderedFlux judge(input, outcome);
    for (const FluxChart& flux : charts) {
        for (const ReleaseRow& row : fleet.releases)
            if (row.chart == flux.chart && row.rendered) judge.judge(flux, *row.rendered, &row);
        if (const auto& own = fleet.unreleased[flux.chart].rendered;
            own && !is_side_path(index, index.charts[flux.chart].file))
            judge.judge(flux, *own, nullptr);
    }
}

} // namespace lockstep

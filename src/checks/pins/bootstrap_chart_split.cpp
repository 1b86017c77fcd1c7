// A chart that bootstrap installs by hand and Flux takes over later: both have to name one version.
#include "index/cells.h"
#include "index/flux_sites.h"
#include "index/relations.h"
#include "index/side_paths.h"
#include "rules/check.h"
#include <unordered_map>

namespace lockstep::bootstrap_chart_split {
namespace {

struct Declared {
    Cell version;
    Place place; // of the version, or of the chart's name where there is none
    std::string what;
};
using Declarations = std::unordered_map<std::string, std::vector<Declared>>; // by repository and chart

std::string chart_key(std::string_view repository, std::string_view chart) {
    return registry_key(repository) + "/" + std::string(chart);
}

Declarations declarations(const CheckInput& input) {
    const Index& index = input.repository.index;
    Declarations found;
    const auto add = [&](const Cell& repository, const Cell& chart, const Cell& version, std::string what) {
        if (!is_known(repository) || !is_known(chart) || chart.place.file == no_file) return;
        if (is_side_path(input.repository.index, chart.place.file)) return;
        found[chart_key(repository.text, chart.text)].push_back(
            {version, is_set(version) ? version.place : chart.place, std::move(what)});
    };
    for (const DependencyEdge& edge : index.dependency_edges) {
        const Chart& chart = index.charts[edge.chart];
        const ChartDependency& dependency = chart.dependencies[edge.dependency];
        if (!chart.subchart)
            add(dependency.repository, dependency.name, dependency.version, "dependency of chart " + chart.name.text);
    }
    // Live clusters lag on purpose; the template tree and what stands in no tree is what new clusters get.
    for (EntityId id = 0; id < index.releases.size(); ++id) {
        const HelmRelease& release = index.releases[id];
        const ReleaseEdges& edges = index.release_edges[id];
        const Object& object = index.objects[release.object];
        if (release.partial ||
            (!tree_of(index, object).empty() && tree_of(index, object) != input.config.template_tree))
            continue;
        if (edges.registry.empty()) continue;
        add({State::known, edges.registry, {}}, edges.chart_name, edges.version, "HelmRelease " + object.name.text);
    }
    const Table& mirrors = input.facts["mirror"];
    for (const Row& row : mirrors.rows)
        add(mirrors.at(row, "repo"), mirrors.at(row, "chart"), mirrors.at(row, "version"),
            "catalystBlueprint.upstream");
    return found;
}

enum class Match : std::uint8_t { same, other, lost, undecided };

Match match(const Cell& declared, const Version& installed) {
    if (!is_set(declared)) return Match::lost;
    if (!is_known(declared)) return Match::undecided;
    const auto range = Range::parse(declared.text);
    if (!range) return Match::undecided;
    return range->contains(installed) ? Match::same : Match::other;
}

void judge_pin(const CheckInput& input, const Declarations& known, const BootstrapPin& pin, RuleOutcome& outcome) {
    const std::string& path = input.repository.tree->files[pin.anchor.file].path;
    const std::string subject = path + ":helm-install/" + pin.chart.text;
    if (!is_known(pin.chart) || !is_known(pin.repository))
        return outcome.undecided(pin.anchor, subject, "the chart's repository is not known");
    const auto found = known.find(chart_key(pin.repository.text, pin.chart.text));
    if (found == known.end()) {
        outcome.subjects.push_back(
            {pin.anchor, subject, Verdict::unmatched, "nothing else installs this chart", outcome.subjects.size()});
        return;
    }
    if (!is_set(pin.version)) { // bootstrap-pin-floating speaks about it
        outcome.subjects.push_back({pin.anchor, subject, Verdict::lost, "not pinned", outcome.subjects.size()});
        return;
    }
    const auto version = is_known(pin.version) ? parse_version(pin.version.text) : std::nullopt;
    if (!version) return outcome.undecided(pin.version.place, subject, "no version that can be compared");
    Finding finding;
    bool decided = false;
    for (const Declared& declared : found->second) {
        const Match verdict = match(declared.version, *version);
        decided = decided || verdict != Match::undecided;
        if (verdict != Match::other && verdict != Match::lost) continue;
        const std::string says =
            declared.what + (verdict == Match::lost ? " names no version" : " says " + declared.version.text);
        if (finding.message.empty())
            finding.message = "bootstrap installs " + pin.chart.text + " " + pin.version.text + ", " + says;
        finding.related.push_back({declared.place, says});
    }
    if (!decided) return outcome.undecided(pin.version.place, subject, "templated on the other side");
    if (finding.related.empty()) return outcome.pass(pin.version.place, subject);
    finding.place = pin.version.place;
    outcome.fail(subject, std::move(finding));
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Declarations known = declarations(input);
    for (const BootstrapPin& pin : input.repository.index.bootstrap_pins) {
        if (pin.kind != BootstrapPin::Kind::helm_install) continue;
        if (is_known(pin.chart) && pin.chart.text == "flux2") continue; // flux-version-split compares what it carries
        if (is_side_script(input.repository.index, pin)) continue;
        judge_pin(input, known, pin, outcome);
    }
}

} // namespace

constexpr NativeCheck check{run, "mirror: chart version repo"};

} // namespace lockstep::bootstrap_chart_split

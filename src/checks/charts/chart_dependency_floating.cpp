// Dependencies of charts that are pinned by nothing.
#include "base/semver.h"
#include "index/cells.h"
#include "index/pin_order.h"
#include "index/relations.h"
#include "rules/check.h"
#include <algorithm>

namespace lockstep::chart_dependency_floating {
namespace {

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    for (const DependencyEdge& edge : index.dependency_edges) {
        const Chart& chart = index.charts[edge.chart];
        if (chart.subchart || edge.own) continue; // our own charts: umbrella-pin-drift speaks of them
        const ChartDependency& dependency = chart.dependencies[edge.dependency];
        const std::string subject = subject_in_chart(index, chart, "dependencies", dependency.name.text);
        const Cell& version = dependency.version;
        const Place place = is_set(version) ? version.place : dependency.name.place;
        if (version.state == State::templated) {
            outcome.undecided(place, subject, "a templated version");
            continue;
        }
        // Without a repository it is a chart that stands in charts/, and that one is fixed.
        const bool by_hand = !is_set(dependency.repository) || dependency.repository.text.empty();
        const auto range = Range::parse(version.text);
        if ((range && range->is_exact()) || by_hand) {
            outcome.pass(place, subject);
            continue;
        }
        const bool flux = std::any_of(chart.dependencies.begin(), chart.dependencies.end(),
                                      [](const ChartDependency& one) { return one.name.text == "flux2"; });
        if (!flux && edge.lock != no_entity && is_known(chart.lock[edge.lock].version)) {
            outcome.pass(place, subject);
            continue;
        }
        Finding finding;
        finding.rule = input.rule.id;
        finding.severity = flux ? Severity::error : input.rule.severity;
        finding.message = chart.name.text + " depends on " + dependency.name.text + " " +
                          (version.text.empty() ? "without a version" : in_quotes(version.text)) +
                          (flux ? ": whoever builds this chart next decides which Flux the clusters get"
                                : ": two builds of the same commit may hold different charts");
        finding.place = place;
        if (is_there(dependency.repository.place))
            finding.related.push_back({dependency.repository.place, "from here"});
        outcome.fail(subject, std::move(finding));
    }
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::chart_dependency_floating

// A blueprint's chart that brings nothing: no dependencies, and no annotation that says it is made from scratch.
#include "checks/upstream_block.h"
#include "index/blueprint_charts.h"
#include "index/cells.h"
#include "rules/check.h"

namespace lockstep::hollow_chart {
namespace {

const Pair* no_upstream(const Chart& chart) {
    for (const Pair& pair : chart.annotations)
        if (pair.key.text == "catalyst.openova.io/no-upstream") return &pair;
    return nullptr;
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Mirrors mirrors = read_mirrors(input);
    for (const auto& [id, blueprint] : charts_of_blueprints(index)) {
        const Chart& chart = index.charts[id];
        if (chart.type.text == "library") continue;
        const std::string subject = index.tree->files[chart.file].path;
        const Pair* mark = no_upstream(chart);
        const Place place = is_set(chart.name) ? chart.name.place : chart.place;
        if (mark && mark->value.state == State::templated) {
            outcome.undecided(mark->value.place, subject, "a templated annotation");
            continue;
        }
        const bool from_scratch = mark && mark->value.text == "true";
        const Object& object = index.objects[blueprint->object];
        Finding finding;
        finding.related.push_back({object.name.place, "its blueprint " + object.name.text});
        if (from_scratch && !chart.dependencies.empty()) {
            finding.message = chart.name.text + " says no-upstream, but depends on " +
                              chart.dependencies.front().name.text + ": one of the two is wrong";
            finding.place = mark->value.place;
            finding.related.push_back({chart.dependencies.front().name.place, "the dependency"});
            outcome.fail(subject, std::move(finding));
            continue;
        }
        if (from_scratch || !chart.dependencies.empty()) {
            outcome.pass(place, subject);
            continue;
        }
        const auto mirror = mirrors.find(chart.dir);
        if (input.config.overlay_blueprints && mirror != mirrors.end() && mirror->second.complete()) {
            outcome.pass(place, subject);
            continue;
        }
        finding.message = chart.name.text + " has no dependencies and no annotation " +
                          "catalyst.openova.io/no-upstream: \"true\": it installs nothing of what it is named after";
        finding.place = place;
        if (mirror != mirrors.end() && mirror->second.filled() > 0)
            finding.related.push_back(
                {mirror->second.place, "the values say that it wraps " + mirror->second.chart.text});
        outcome.fail(subject, std::move(finding));
    }
}

} // namespace

constexpr NativeCheck check{run, "mirror: dir chart version repo"};

} // namespace lockstep::hollow_chart

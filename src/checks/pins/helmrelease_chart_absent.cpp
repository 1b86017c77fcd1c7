// HelmReleases of charts that this repository would publish, and does not have.
#include "deploy/own_releases.h"
#include "index/cells.h"
#include "index/pin_order.h"
#include "rules/check.h"

namespace lockstep::helmrelease_chart_absent {
namespace {

void judge(const OwnRelease& one, RuleOutcome& outcome) {
    const Cell& name = one.edges.chart_name;
    const Place place = is_there(name.place) ? name.place : one.object.name.place;
    if (!is_known(name)) return outcome.undecided(place, one.subject, "a templated chart name");
    if (one.edges.chart != no_entity) return outcome.pass(place, one.subject);
    if (is_known(one.release.suspend) && one.release.suspend.text == "true")
        return outcome.undecided(place, one.subject, "suspended: declared before its chart");
    Finding finding;
    finding.message = "no chart in this tree is called " + in_quotes(name.text) + ", and " +
                      in_quotes(one.edges.registry) + " holds the charts of this tree";
    finding.place = place;
    if (is_there(one.edges.source_url.place))
        finding.related.push_back({one.edges.source_url.place, "pulled from here"});
    finding.cause = "chart " + name.text;
    outcome.fail(one.subject, std::move(finding));
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    for (const OwnRelease& one : own_releases(index))
        if (is_pulled_by_version(index, one.edges)) judge(one, outcome);
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::helmrelease_chart_absent

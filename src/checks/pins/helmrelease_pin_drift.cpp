// HelmReleases of charts that this repository publishes, compared with the charts in the tree.
#include "base/semver.h"
#include "deploy/own_releases.h"
#include "index/cells.h"
#include "index/pin_order.h"
#include "index/relations.h"
#include "rules/check.h"

namespace lockstep::helmrelease_pin_drift {
namespace {

bool is_by_digest(const Index& index, const ReleaseEdges& edges) {
    return edges.source != no_entity && is_set(index.sources[edges.source].digest);
}

class PinJudge {
public:
    PinJudge(const CheckInput& input, RuleOutcome& outcome)
        : index_(input.repository.index), fleet_(fleet_of(input.repository)), outcome_(outcome),
          template_(Glob::compile(input.config.template_tree)) {}

    void operator()(const OwnRelease& one) const {
        if (one.edges.chart == no_entity || !is_pulled_by_version(index_, one.edges)) return;
        for (const Cell& pin : pins_of(index_, fleet_, one))
            judge(one, pin);
    }

private:
    void judge(const OwnRelease& one, const Cell& pin) const {
        const Chart& chart = index_.charts[one.edges.chart];
        const Place place = is_there(pin.place) ? pin.place : one.object.name.place;
        if (pin.state == State::templated || chart.version.state == State::templated)
            return outcome_.undecided(place, one.subject, "a templated version");
        if (!is_known(chart.version)) return report_versionless(one, pin, chart, place);
        if (!parse_version(chart.version.text))
            return outcome_.undecided(place, one.subject, "the chart's version is no version");
        if (is_stamped_later(index_, chart.version))
            return outcome_.undecided(place, one.subject, "the chart's version is stamped when it is published");
        if (!is_known(pin) && is_by_digest(index_, one.edges))
            return outcome_.undecided(place, one.subject, "pinned by digest");
        const PinOrder order = is_known(pin) ? pin_order(pin, chart.version) : PinOrder::floating;
        if (order == PinOrder::same || (is_known(pin) && any_namesake_fits(index_, chart, pin)))
            return outcome_.pass(place, one.subject);
        report(one, pin, chart, place, order);
    }

    bool in_template(const OwnRelease& one) const {
        return template_ && !tree_of(index_, one.object).empty() && template_->matches(tree_of(index_, one.object));
    }

    static std::string said(const std::string& name, const std::string& pin, const std::string& version,
                            PinOrder order) {
        const std::string here = "the chart in this tree is " + version;
        switch (order) {
        case PinOrder::ahead:
            return name + " is pinned to " + pin + ", " + here + ": nothing here has published that version";
        case PinOrder::outside:
            return name + " is pinned to " + in_quotes(pin) + ", a range that leaves out " + version +
                   ", the chart in this tree";
        case PinOrder::floating:
            return pin.empty() ? name + " has no version, so Flux takes the newest one it finds; " + here
                               : name + " is pinned to " + in_quotes(pin) + ", which is no version; " + here;
        default:
            return name + " is pinned to " + pin + ", " + here;
        }
    }

    void report(const OwnRelease& one, const Cell& pin, const Chart& chart, Place place, PinOrder order) const {
        Finding finding;
        finding.rule = outcome_.rule->id;
        const bool hard = in_template(one) || order == PinOrder::ahead;
        finding.severity = hard ? outcome_.rule->severity : Severity::note;
        finding.message = said(chart.name.text, is_known(pin) ? pin.text : "", chart.version.text, order);
        finding.place = place;
        finding.related.push_back({chart.version.place, "the chart is " + chart.version.text});
        if (place.file != one.object.file)
            finding.related.push_back({one.object.name.place, "released by " + one.object.name.text});
        finding.cause = "chart " + chart.dir;
        outcome_.fail(one.subject, std::move(finding));
    }

    void report_versionless(const OwnRelease& one, const Cell& pin, const Chart& chart, Place place) const {
        Finding finding;
        finding.message = "the chart " + chart.name.text + " has no version, " + one.object.name.text +
                          " is pinned to " + (is_known(pin) ? pin.text : "none");
        finding.place = is_there(chart.version.place) ? chart.version.place : chart.place;
        finding.related.push_back({place, "pinned here"});
        finding.cause = "chart " + chart.dir;
        outcome_.fail(one.subject, std::move(finding));
    }

    const Index& index_;
    const Fleet& fleet_;
    RuleOutcome& outcome_;
    Result<Glob> template_;
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    const PinJudge judge(input, outcome);
    for (const OwnRelease& one : own_releases(input.repository.index))
        judge(one);
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::helmrelease_pin_drift

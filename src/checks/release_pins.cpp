// HelmReleases of charts that this repository publishes, compared with the charts in the tree.
#include "base/semver.h"
#include "checks/checks.h"
#include "deploy/fleet.h"
#include "index/cells.h"
#include "index/pin_order.h"
#include "index/relations.h"
#include <algorithm>

namespace lockstep {
namespace {

struct Release {
    const HelmRelease& release;
    const ReleaseEdges& edges;
    const Object& object;
    std::string subject;
};

template <class Judge> void each_own_release(const Index& index, Judge judge) {
    for (EntityId id = 0; id < index.releases.size(); ++id) {
        const HelmRelease& release = index.releases[id];
        const Object& object = index.objects[release.object];
        if (object.partial || object.as_patch || !index.release_edges[id].own) continue;
        judge(Release{release, index.release_edges[id], object, subject_of(index, object)});
    }
}

// Flux reads no version where the chart is a folder of a Git repository or a bucket.
bool is_pulled_by_version(const Index& index, const ReleaseEdges& edges) {
    return edges.source != no_entity && (index.sources[edges.source].kind == "HelmRepository" ||
                                         index.sources[edges.source].kind == "OCIRepository");
}

bool is_by_digest(const Index& index, const ReleaseEdges& edges) {
    return edges.source != no_entity && is_set(index.sources[edges.source].digest);
}

// The versions that clusters get: patches and variables may set others than the one that is written.
std::vector<Cell> pins_of(const Index& index, const Fleet& fleet, const Release& one) {
    const bool by_tag = one.edges.source != no_entity && index.sources[one.edges.source].kind == "OCIRepository";
    const EntityId carrier = by_tag ? index.sources[one.edges.source].object : one.release.object;
    std::vector<Cell> pins;
    auto add = [&](Cell cell) {
        const bool known = std::any_of(pins.begin(), pins.end(), [&](const Cell& other) {
            return other.text == cell.text && other.place == cell.place;
        });
        if (!known) pins.push_back(std::move(cell));
    };
    const bool by_chart = !by_tag && !is_set(one.release.chart); // Flux's own HelmChart carries it
    for (std::uint32_t number : by_chart ? std::span<const std::uint32_t>() : fleet.of_object(carrier)) {
        const Instance& instance = fleet.instances[number];
        if (!instance.resource.patches && !fleet.root_of(instance).variables &&
            !fleet.root_of(instance).is_rendered()) {
            add(one.edges.version);
            continue;
        }
        const Value* tree = fleet.tree_of(instance);
        Cell cell =
            by_tag ? cell_at(tree, {"spec", "ref", "tag"}) : cell_at(tree, {"spec", "chart", "spec", "version"});
        if (by_tag && !is_set(cell)) cell = cell_at(tree, {"spec", "ref", "semver"});
        add(std::move(cell));
    }
    if (pins.empty()) pins.push_back(one.edges.version);
    return pins;
}

class PinJudge {
public:
    PinJudge(const CheckInput& input, RuleOutcome& outcome)
        : index_(input.repository.index), fleet_(fleet_of(input.repository)), outcome_(outcome),
          template_(Glob::compile(input.config.template_tree)) {}

    void operator()(const Release& one) const {
        if (one.edges.chart == no_entity || !is_pulled_by_version(index_, one.edges)) return;
        for (const Cell& pin : pins_of(index_, fleet_, one))
            judge(one, pin);
    }

private:
    void judge(const Release& one, const Cell& pin) const {
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

    bool in_template(const Release& one) const {
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

    void report(const Release& one, const Cell& pin, const Chart& chart, Place place, PinOrder order) const {
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

    void report_versionless(const Release& one, const Cell& pin, const Chart& chart, Place place) const {
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

} // namespace

void check_release_pin_drift(const CheckInput& input, RuleOutcome& outcome) {
    each_own_release(input.repository.index, PinJudge(input, outcome));
}

void check_release_chart_absent(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    each_own_release(index, [&](const Release& one) {
        if (!is_pulled_by_version(index, one.edges)) return;
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
    });
}

} // namespace lockstep

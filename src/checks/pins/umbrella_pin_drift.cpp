// Charts that depend on charts of this tree: one finding per local chart, whoever lags.
#include "base/semver.h"
#include "index/cells.h"
#include "index/pin_order.h"
#include "rules/check.h"
#include <algorithm>
#include <map>

namespace lockstep::umbrella_pin_drift {
namespace {

struct Stale {
    Place place;
    std::string message, subject, by; // `by` names the chart that depends
    Severity severity = Severity::note;
};

class Umbrellas {
public:
    Umbrellas(const CheckInput& input, RuleOutcome& outcome)
        : index_(input.repository.index), catalyst_(input.catalyst), outcome_(outcome) {}

    void judge(const DependencyEdge& edge) {
        const Chart& chart = index_.charts[edge.chart];
        if (!edge.own || chart.subchart) return; // a vendored chart came as it is
        const ChartDependency& dependency = chart.dependencies[edge.dependency];
        const std::string subject =
            index_.tree->files[chart.file].path + "#dependencies[name=" + dependency.name.text + "]";
        const Cell& pin = dependency.version;
        const Place place = is_set(pin) ? pin.place : dependency.name.place;
        if (!is_known(dependency.name) || pin.state == State::templated)
            return outcome_.undecided(place, subject, "a templated value");
        if (is_known(pin) && pin.text.empty()) return outcome_.undecided(place, subject, "no version is asked for");
        if (edge.local == no_entity) return add_absent(edge, chart, dependency, subject);
        const Chart& local = index_.charts[edge.local];
        if (!is_known(local.version) || !parse_version(local.version.text))
            return outcome_.undecided(place, subject, "the version of " + local.name.text + " is not known");
        if (is_known(pin) && pin_order(pin, local.version) == PinOrder::same) return outcome_.pass(place, subject);
        if (!edge.by_file && is_known(pin) && any_namesake_fits(index_, local, pin))
            return outcome_.pass(place, subject);
        if (!edge.by_file && is_stamped_later(index_, local.version))
            return outcome_.undecided(place, subject, "the chart's version is stamped when it is published");
        add_stale(edge, chart, local, pin, place, subject);
    }

    void report() {
        for (auto& [local, stale] : stale_) {
            std::stable_sort(stale.begin(), stale.end(),
                             [](const Stale& a, const Stale& b) { return a.severity > b.severity; });
            Finding finding;
            finding.rule = outcome_.rule->id;
            finding.severity = stale.front().severity;
            finding.message = stale.front().message;
            finding.place = stale.front().place;
            finding.key = finding.rule + ":" + local;
            if (const auto chart = index_.chart_by_dir.find(local); chart != index_.chart_by_dir.end()) {
                const Chart& target = index_.charts[chart->second];
                finding.related.push_back({target.version.place, "the chart is " + target.version.text});
            }
            for (std::size_t i = 1; i < stale.size(); ++i)
                finding.related.push_back({stale[i].place, stale[i].message});
            for (std::size_t i = 1; i < stale.size(); ++i)
                outcome_.subjects.push_back({stale[i].place, stale[i].subject, Verdict::fail, {}, 0});
            outcome_.fail(stale.front().subject, std::move(finding));
        }
    }

private:
    void add_absent(const DependencyEdge& edge, const Chart& chart, const ChartDependency& dependency,
                    const std::string& subject) {
        const std::string& where = dependency.repository.text;
        const Place place = edge.by_file ? dependency.repository.place : dependency.name.place;
        if (edge.by_file && where.find("{{") != std::string::npos)
            return outcome_.undecided(place, subject, "a templated folder");
        std::string message =
            chart.name.text + " depends on " + in_quotes(dependency.name.text) + " from " + where +
            (edge.by_file ? ", and no chart is there" : ", a registry of this tree, and no chart here has that name");
        stale_["absent " + dependency.name.text + " " + where].push_back(
            {place, std::move(message), subject, chart.name.text, catalyst_ ? Severity::error : Severity::note});
    }

    void add_stale(const DependencyEdge& edge, const Chart& chart, const Chart& local, const Cell& pin, Place place,
                   const std::string& subject) {
        const PinOrder order = is_known(pin) ? pin_order(pin, local.version) : PinOrder::floating;
        std::string message = chart.name.text;
        if (!is_known(pin))
            message += " names no version of " + local.name.text + ", which is " + local.version.text + " here";
        else if (order == PinOrder::outside || order == PinOrder::floating)
            message += " asks for " + local.name.text + " " + in_quotes(pin.text) + ", which leaves out the " +
                       local.version.text + " of this tree";
        else
            message +=
                " asks for " + local.name.text + " " + pin.text + ", the chart in this tree is " + local.version.text;
        if (order == PinOrder::ahead && !edge.by_file) message += ": nothing here has published that version";
        if (edge.by_file && is_known(pin)) message += "; `helm dependency update` refuses a folder of another version";
        const Severity behind = catalyst_ ? Severity::warning : Severity::note;
        stale_[local.dir].push_back({place, std::move(message), subject, chart.name.text,
                                     order == PinOrder::ahead ? outcome_.rule->severity : behind});
    }

    const Index& index_;
    const bool catalyst_;
    RuleOutcome& outcome_;
    std::map<std::string, std::vector<Stale>> stale_; // by folder of the local chart
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    Umbrellas umbrellas(input, outcome);
    for (const DependencyEdge& edge : input.repository.index.dependency_edges)
        umbrellas.judge(edge);
    umbrellas.report();
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::umbrella_pin_drift

// A chart's dependencies against what is locked and vendored beside it.
#include "base/semver.h"
#include "index/cells.h"
#include "index/pin_order.h"
#include "index/relations.h"
#include "rules/check.h"
#include <algorithm>
#include <unordered_map>

namespace lockstep::vendored_dependency_drift {
namespace {

// Dependencies of one chart by name: the same chart may stand there several times under different aliases.
using ByName = std::unordered_map<std::string, std::vector<const ChartDependency*>>;

ByName by_name(const std::vector<ChartDependency>& dependencies) {
    ByName names;
    for (const ChartDependency& dependency : dependencies)
        if (is_known(dependency.name)) names[dependency.name.text].push_back(&dependency);
    return names;
}

enum class Fit : std::uint8_t { yes, no, unknown };

// Does a locked or vendored version fit what is asked for?
Fit fits(const Cell& version, const Cell& asked) {
    if (!is_known(version) || !is_known(asked)) return Fit::unknown;
    switch (pin_order(asked, version)) {
    case PinOrder::same:
        return Fit::yes;
    case PinOrder::floating:
        return Fit::unknown;
    case PinOrder::outside: { // `--devel` takes pre-releases into any range
        const auto have = parse_version(version.text);
        return have && !have->prerelease.empty() ? Fit::unknown : Fit::no;
    }
    default:
        return Fit::no;
    }
}

Fit fits_any(const Cell& version, const std::vector<const ChartDependency*>& asked) {
    Fit best = Fit::no;
    for (const ChartDependency* one : asked) {
        const Fit fit = fits(version, one->version);
        if (fit == Fit::yes) return fit;
        if (fit == Fit::unknown) best = fit;
    }
    return best;
}

class VendoredJudge {
public:
    VendoredJudge(const CheckInput& input, RuleOutcome& outcome)
        : rule_(input.rule), index_(input.repository.index), outcome_(outcome) {}

    void judge(const Chart& chart) {
        if (chart.subchart) return; // a vendored chart came as it is
        cause_ = "chart " + chart.dir;
        deprecated_ = is_deprecated(index_.tree->indexed_text(chart.file));
        const ByName asked = by_name(chart.dependencies);
        if (chart.lock_file != no_file) judge_lock(chart, asked);
        for (const Vendored& vendored : chart.vendored)
            judge_vendored(chart, asked, vendored);
    }

private:
    void judge_lock(const Chart& chart, const ByName& asked) {
        const ByName locked = by_name(chart.lock);
        for (const ChartDependency& dependency : chart.dependencies) {
            const std::string subject = subject_in_chart(index_, chart, "dependencies", dependency.name.text);
            if (!is_known(dependency.name) || !is_known(dependency.version)) {
                outcome_.undecided(dependency.place, subject, "no readable version");
                continue;
            }
            const auto found = locked.find(dependency.name.text);
            if (found == locked.end()) {
                fail(subject, dependency.name.place,
                     "Chart.yaml depends on " + dependency.name.text + " " + dependency.version.text +
                         ", Chart.lock does not have it",
                     {chart.lock_file, {}}, "the lock");
                continue;
            }
            const ChartDependency& first = *found->second.front();
            if (first.version.state == State::absent) {
                fail(subject, first.name.place,
                     "Chart.lock names no version for " + dependency.name.text + ", Chart.yaml asks for " +
                         dependency.version.text,
                     dependency.version.place, "asked for here");
                continue;
            }
            Fit fit = Fit::no;
            for (const ChartDependency* lock : found->second)
                fit = std::max(fit, fits(lock->version, dependency.version), better);
            if (fit == Fit::yes)
                outcome_.pass(dependency.version.place, subject);
            else if (fit == Fit::unknown)
                outcome_.undecided(dependency.version.place, subject, "a version that cannot be compared");
            else
                fail(subject, first.version.place,
                     "Chart.lock has " + dependency.name.text + " " + first.version.text + ", Chart.yaml asks for " +
                         dependency.version.text,
                     dependency.version.place, "asked for here");
        }
        for (const auto& lock : chart.lock)
            if (is_known(lock.name) && !asked.contains(lock.name.text))
                fail(subject_in_chart(index_, chart, "lock", lock.name.text), lock.name.place,
                     "Chart.lock has " + lock.name.text + " " + lock.version.text +
                         ", Chart.yaml does not depend on it",
                     is_there(chart.name.place) ? chart.name.place : chart.place, "the chart");
    }

    void judge_vendored(const Chart& chart, const ByName& asked, const Vendored& vendored) {
        const std::string subject = subject_in_chart(index_, chart, "charts", vendored.name.text);
        const Place place = is_there(vendored.version.place) ? vendored.version.place : Place{vendored.file, {}};
        const auto found = asked.find(vendored.name.text);
        if (found == asked.end()) return; // a chart that is kept in charts/ by hand needs no entry
        if (!vendored.problem.empty()) return outcome_.undecided(place, subject, "the archive " + vendored.problem);
        const Cell& want = found->second.front()->version;
        if (vendored.version.state == State::absent && is_known(want))
            return fail(subject, place,
                        "charts/ holds " + vendored.name.text + " without a version, Chart.yaml asks for " + want.text,
                        want.place, "asked for here");
        const Fit fit = fits_any(vendored.version, found->second);
        if (fit == Fit::yes) return outcome_.pass(place, subject);
        if (fit == Fit::unknown) return outcome_.undecided(place, subject, "a version that cannot be compared");
        fail(subject, place,
             "charts/ holds " + vendored.name.text + " " + vendored.version.text + ", Chart.yaml asks for " + want.text,
             want.place, "asked for here");
    }

    // Nobody fixes a chart that its owners have given up.
    static bool is_deprecated(std::string_view text) {
        constexpr std::string_view line = "deprecated: true";
        const std::size_t at = text.find(line);
        return at != std::string_view::npos && (at == 0 || text[at - 1] == '\n');
    }

    static bool better(Fit a, Fit b) { return rank(a) < rank(b); }
    static int rank(Fit fit) { return fit == Fit::yes ? 2 : fit == Fit::unknown ? 1 : 0; }

    void fail(const std::string& subject, Place place, std::string message, Place other, std::string about) {
        Finding finding;
        finding.message = std::move(message);
        finding.place = place;
        finding.related.push_back({other, std::move(about)});
        finding.rule = rule_.id;
        finding.severity = deprecated_ ? Severity::note : rule_.severity;
        finding.cause = cause_; // one `helm dependency update` that nobody ran
        outcome_.fail(subject, std::move(finding));
    }

    const Rule& rule_;
    const Index& index_;
    RuleOutcome& outcome_;
    std::string cause_;
    bool deprecated_ = false;
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    VendoredJudge judge(input, outcome);
    for (const Chart& chart : input.repository.index.charts)
        judge.judge(chart);
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::vendored_dependency_drift

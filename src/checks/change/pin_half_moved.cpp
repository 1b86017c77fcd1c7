// Pins of one group that disagree because this change moved some of them and left the others: what the pin rules find
// at head, compared with what stood at the same places before.
#include "base/semver.h"
#include "deploy/value_history.h"
#include "index/pin_order.h"
#include "rules/check.h"
#include <algorithm>
#include <map>

namespace lockstep::pin_half_moved {
namespace {

struct Site {
    Place place;
    std::string message; // of the snapshot finding
    std::string now;
    std::optional<std::string> before;

    bool moved() const { return before && plain_version(*before) != plain_version(now); }
};

// A snapshot finding, with those of the same cause that say the same: one change moved one pin away from all of them.
struct Split {
    Finding finding;
    std::vector<std::string> keys;
};

std::vector<Split> splits_of(const RuleOutcome& pins) {
    std::vector<Split> splits;
    std::map<std::string, std::size_t> seen;
    for (const Finding& finding : pins.findings) {
        // A note is a custom, not a split: live trees that lag behind the chart on purpose.
        if (finding.severity < Severity::warning) continue;
        const std::string same = finding.cause.empty() ? finding.key : finding.cause + '\n' + finding.message;
        const auto [slot, fresh] = seen.emplace(same, splits.size());
        if (fresh) {
            splits.push_back({finding, {finding.key}});
            continue;
        }
        Split& split = splits[slot->second];
        split.keys.push_back(finding.key);
        split.finding.severity = std::max(split.finding.severity, finding.severity);
        split.finding.related.push_back({finding.place, "the same here"});
        split.finding.related.insert(split.finding.related.end(), finding.related.begin(), finding.related.end());
    }
    return splits;
}

bool is_version(std::string_view text) {
    return parse_version(plain_version(text)) || Range::parse(text);
}

class HalfMoves {
public:
    HalfMoves(const CheckInput& input, RuleOutcome& outcome)
        : tree_(*input.repository.tree), history_(*input.base, input.repository), outcome_(outcome) {}

    void judge(const Split& split) {
        const Finding& finding = split.finding;
        const std::string subject = finding.key.substr(finding.key.find(':') + 1);
        std::vector<Site> sites = sites_of(finding);
        const auto left =
            std::stable_partition(sites.begin(), sites.end(), [](const Site& site) { return site.moved(); });
        if (left == sites.begin()) return outcome_.pass(finding.place, subject);
        // Of those that stayed behind, one that says something else than what was moved to.
        std::stable_partition(left, sites.end(), [&](const Site& site) {
            return plain_version(site.now) != plain_version(sites.front().now);
        });
        report(split, subject, sites, static_cast<std::size_t>(left - sites.begin()));
    }

private:
    std::vector<Site> sites_of(const Finding& finding) {
        std::vector<Site> sites;
        auto add = [&](Place place, const std::string& message) {
            const bool known = std::any_of(sites.begin(), sites.end(), [&](const Site& s) { return s.place == place; });
            if (known || place.file == no_file || place.file >= tree_.files.size()) return;
            Site site{place, message, history_.now(place), std::nullopt};
            if (!is_version(site.now)) return;
            site.before = history_.before(place);
            sites.push_back(std::move(site));
        };
        add(finding.place, finding.message);
        for (const Related& related : finding.related)
            add(related.place, related.message);
        return sites;
    }

    std::string where(Place place) const {
        const File& file = tree_.files[place.file];
        return file.path + ":" + std::to_string(LineTable(file.text).position(place.span.begin).line);
    }

    void report(const Split& split, const std::string& subject, const std::vector<Site>& sites, std::size_t moved) {
        const Finding& snapshot = split.finding;
        Finding finding;
        finding.rule = outcome_.rule->id;
        finding.severity = snapshot.severity;
        finding.key = outcome_.rule->id + ":" + snapshot.key;
        finding.replaces = split.keys;
        finding.message =
            "this change moved " + where(sites[0].place) + " from " + *sites[0].before + " to " + sites[0].now;
        if (moved > 1) finding.message += " (and " + std::to_string(moved - 1) + " more)";
        const bool all = moved == sites.size();
        if (!all)
            finding.message +=
                "; " + where(sites[moved].place) + (sites[moved].before ? " still says " : " says ") + sites[moved].now;
        finding.message += ": " + snapshot.message;
        finding.place = all ? snapshot.place : sites[moved].place;
        for (std::size_t i = 0; i < sites.size(); ++i) {
            if (sites[i].place == finding.place) continue;
            finding.related.push_back({sites[i].place, i < moved
                                                           ? "moved from " + *sites[i].before + " to " + sites[i].now
                                                           : sites[i].message});
        }
        for (const Related& other : snapshot.related) {
            const bool told = other.place == finding.place ||
                              std::any_of(finding.related.begin(), finding.related.end(),
                                          [&](const Related& one) { return one.place == other.place; });
            if (!told) finding.related.push_back(other);
        }
        outcome_.fail(subject, std::move(finding));
    }

    const Tree& tree_;
    ValueHistory history_;
    RuleOutcome& outcome_;
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    if (!input.base) return;
    HalfMoves moves(input, outcome);
    for (const RuleOutcome* pins : input.replaced) {
        for (const Subject& subject : pins->subjects)
            if (subject.verdict == Verdict::pass) outcome.pass(subject.place, subject.name);
        for (const Split& split : splits_of(*pins))
            moves.judge(split);
    }
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::pin_half_moved

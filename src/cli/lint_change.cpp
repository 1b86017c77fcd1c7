// The part of a run that knows two trees: reads the base, and sorts findings by whether the change has to do with them.
#include "checks/checks.h"
#include "cli/lint.h"
#include "filter/fold.h"
#include "filter/lost_proof.h"
#include "tree/git_repository.h"
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace lockstep {
namespace {

// With the gravest severity that they had.
class KnownBefore {
public:
    void add(const std::string& what, Severity severity) {
        const auto [known, fresh] = known_.emplace(what, severity);
        if (!fresh) known->second = std::max(known->second, severity);
    }
    // A note that has become an error was not known.
    bool has(const std::string& what, Severity severity) const {
        const auto known = known_.find(what);
        return known != known_.end() && severity <= known->second;
    }

private:
    std::map<std::string, Severity> known_;
};

struct BaseKeys {
    KnownBefore all;
    KnownBefore suppressed; // by what_is_silenced
};

// Key and message. Some keys are as wide as a file; numbers in the message move with every bump.
std::string what_is_silenced(const Finding& finding) {
    std::string text = finding.key + '\x1f';
    for (char c : finding.message)
        if ((c < '0' || c > '9') && c != '.') text += c;
    return text;
}

// What the base had already, by key.
BaseKeys keys_of_base(const LintRequest& request, LintRun& run, const std::vector<Suppression>& there,
                      Locator& locator) {
    auto outcomes = judge(run.rules, *run.plan, *run.base_read, run.config, request.selection, native_checks());
    const Filtered filtered = suppress(outcomes, run.rules, run.config, there, locator, today_of(request));
    BaseKeys keys;
    for (const Finding& finding : filtered.findings)
        keys.all.add(finding.key, finding.severity);
    for (const SuppressedFinding& one : filtered.suppressed) {
        keys.all.add(one.finding.key, one.finding.severity);
        keys.suppressed.add(what_is_silenced(one.finding), one.finding.severity);
    }
    return keys;
}

bool shows_changed_only(const LintRequest& request) {
    return request.changed_only && !request.steering_changed;
}

bool compares_trees(const Finding& finding, const RuleSet& rules) {
    const Rule* rule = rules.find(finding.rule);
    return rule && rule->needs_base;
}

// A comment that was in the base already, but silences now what it did not silence there: it was moved to another
// line, or the line was moved under it.
void add_moved_suppressions(LintRun& run, const std::vector<Suppression>& suppressions, const BaseKeys& before) {
    std::set<Place> known;
    for (const Suppression& one : run.added_suppressions)
        known.insert(one.place);
    for (const SuppressedFinding& one : run.suppressed) {
        if (one.by != SuppressedFinding::By::comment ||
            before.suppressed.has(what_is_silenced(one.finding), one.finding.severity))
            continue;
        if (compares_trees(one.finding, run.rules)) continue; // is about the change itself: there is none in the base
        if (!known.insert(one.comment).second) continue;
        const auto comment = std::find_if(suppressions.begin(), suppressions.end(),
                                          [&](const Suppression& other) { return other.place == one.comment; });
        if (comment != suppressions.end()) run.added_suppressions.push_back(*comment);
    }
    std::sort(run.added_suppressions.begin(), run.added_suppressions.end(),
              [](const Suppression& a, const Suppression& b) { return a.place < b.place; });
}

} // namespace

bool judges_base(const LintRequest& request, const std::vector<Suppression>& suppressions) {
    return shows_changed_only(request) || (request.base && !suppressions.empty());
}

std::optional<Error> read_base(const LintRequest& request, LintRun& run, bool judged) {
    auto tree = request.base(run.config);
    if (!tree) return tree.error();
    run.base_tree = std::make_unique<Tree>(std::move(*tree));
    mark_manifests(*run.base_tree, run.config);
    // The base is understood like the head, by the same config. Facts are taken where its rules are to be judged.
    const RuleSet none;
    run.base_read = std::make_unique<ReadResult>(
        judged ? read_repository(*run.base_tree, run.config, run.rules, *run.plan, job_count(request.jobs))
               : read_repository(*run.base_tree, run.config, none, FactPlan({}), job_count(request.jobs)));
    if (judged) fill_applied_tables(run.rules, *run.plan, *run.base_read);
    if (auto error = size_beyond_limit(*run.base_read, run.config, request.base_shown)) return error;
    return lost_file(*run.base_tree);
}

std::optional<Error> hold_against_base(const LintRequest& request, LintRun& run,
                                       const std::vector<Suppression>& suppressions) {
    if (!run.base_read) return std::nullopt;
    run.change = compare_trees(*run.base_tree, run.tree, job_count(request.jobs));
    for (const Tree* tree : {run.base_tree.get(), &run.tree})
        if (auto lost = lost_file(*tree)) return lost;
    if (run.change.count() > 0) {
        run.lost_proof = lost_proof(run.base_read->repository, run.read.repository);
        for (std::string& line : changed_checkout(run.base_read->repository, run.read.repository))
            run.lost_proof.push_back(std::move(line));
    }
    Locator base_locator(*run.base_tree);
    const auto there = find_suppressions(*run.base_tree, base_locator, job_count(request.jobs));
    run.added_suppressions = added_suppressions(suppressions, *run.locator, there, base_locator);
    for (Finding& finding : run.unfolded)
        move_to_change(finding, run.change, *run.locator);
    if (!judges_base(request, suppressions)) return std::nullopt;
    const BaseKeys before = keys_of_base(request, run, there, base_locator);
    if (auto error = fleet_beyond_limit(run.base_read->repository)) return error;
    add_moved_suppressions(run, suppressions, before);
    if (!shows_changed_only(request)) return std::nullopt;

    // A finding belongs to the change when it is about the change, is on a changed line, or was not there before:
    // a file that went leaves no line behind, but who referred to it is found now.
    const auto is_known_new = [&](const Finding& finding) {
        const bool unlisted = finding.place.file < run.tree.files.size() &&
                              run.base_tree->is_unlisted(run.tree.files[finding.place.file].path);
        return !unlisted && !before.all.has(finding.key, finding.severity);
    };
    const auto rest = std::stable_partition(run.unfolded.begin(), run.unfolded.end(), [&](const Finding& finding) {
        return compares_trees(finding, run.rules) || touches(run.change, finding, *run.locator) ||
               is_known_new(finding);
    });
    run.untouched = fold({std::make_move_iterator(rest), std::make_move_iterator(run.unfolded.end())}).size();
    run.unfolded.erase(rest, run.unfolded.end());
    return std::nullopt;
}

std::optional<ChangeStats> change_stats(const LintRequest& request, const LintRun& run) {
    if (!run.base_read) return std::nullopt;
    ChangeStats stats;
    stats.base = request.base_commit;
    stats.base_shown = request.base_shown;
    stats.files_changed = run.change.count();
    stats.changed_only = request.changed_only;
    stats.all_shown = request.changed_only && request.steering_changed;
    stats.untouched = run.untouched;
    for (const Suppression& one : run.added_suppressions)
        stats.suppressions.push_back({one.place, one.rules, one.reason, one.until});
    stats.softened = request.softened;
    stats.softened.insert(stats.softened.end(), run.lost_proof.begin(), run.lost_proof.end());
    stats.submodules = run.base_tree->submodules;
    return stats;
}

} // namespace lockstep

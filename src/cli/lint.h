// The way of the data in one function: config, rules, tree, documents, index, verdicts, filters.
#pragma once
#include "cli/own_files.h"
#include "filter/changed.h"
#include "filter/suppress.h"
#include "report/report.h"
#include "rules/judge.h"
#include <functional>
#include <memory>

namespace lockstep {

// Lists a repository that is not in the linted folder: as it was before the change, or as the index holds it.
using TreeReader = std::function<Result<Tree>(const Config& config)>;

struct LintRequest {
    std::string path = ".";
    std::string config;             // instead of PATH/.lockstep.yaml
    std::vector<std::string> rules; // more folders with rule files
    Selection selection;
    unsigned jobs = 0;
    std::string today;                        // empty: the clock's day
    std::string baseline = {};                // text of a baseline file
    OwnFiles own = own_files_on_disk();       // where config and rules come from
    TreeReader head = {};                     // instead of the files below `path`
    TreeReader base = {};                     // none: there is nothing to compare with
    std::string base_commit = {};             // its id
    std::string base_shown = {};              // for the user
    bool changed_only = false;                // only findings that the change has to do with
    bool steering_changed = false;            // the change touches config, rules or baseline: then all are shown
    std::vector<std::string> softened = {};   // what the change does to config, rules and baseline that lets more pass
    std::map<std::string, Table> tables = {}; // for a fixture: those of the repository whose rules it tests
};

// Everything a run made. Parts point into each other, so it stays where it is.
struct LintRun {
    Config config;
    Tree tree;
    RuleSet rules;
    std::unique_ptr<FactPlan> plan;
    ReadResult read;
    std::unique_ptr<Tree> base_tree; // before the change; none when nobody asked for it
    std::unique_ptr<ReadResult> base_read;
    RepositoryChange change;
    std::vector<Suppression> added_suppressions; // by the change: new ones, and those that now silence something else
    std::vector<std::string> lost_proof;         // what the change makes of chains, after which more passes
    std::size_t untouched = 0;                   // findings that --changed-only leaves out
    std::vector<std::string> warnings;           // about the rules themselves
    std::vector<RuleOutcome> outcomes;
    std::vector<SuppressedFinding> suppressed;
    std::vector<Finding> unfolded; // what suppressions and the baseline leave, one by one
    std::vector<Finding> findings; // the same, sorted and folded
    std::unique_ptr<Locator> locator;

    RunStats stats(bool all) const; // `all`: what clusters get is worked out for it where no rule asked
};

Result<std::unique_ptr<LintRun>> lint(const LintRequest& request);
// The same from parts that are there already: a tree in memory, a config, rule files besides those in the binary.
Result<std::unique_ptr<LintRun>> lint_tree(Tree tree, Config config, const std::vector<RuleFile>& rule_files,
                                           const LintRequest& request);

// A base that is in a folder of its own.
TreeReader base_in(const std::string& folder, unsigned jobs);
// The same without judging: config, rules, tree and index, for commands that only show what is there.
Result<std::unique_ptr<LintRun>> read_only(const LintRequest& request);

// Config and rules alone, for commands that read no tree.
Result<RuleSet> rules_of(const LintRequest& request);
// The rules in the binary and in the request's folders, without a repository.
Result<RuleSet> rules_in(const LintRequest& request);
// PATH/.lockstep.yaml or --config; defaults when there is none.
Result<Config> load_config(const LintRequest& request);

// Folder of a repository that holds its own rules and their fixtures. It is no part of what is linted.
inline constexpr std::string_view own_folder = ".lockstep";

unsigned job_count(unsigned asked);
std::optional<Error> size_beyond_limit(const ReadResult& read, const Config& config, const std::string& shown);
std::string today_of(const LintRequest& request);
WalkOptions walk_options_of(const Config& config, unsigned jobs);
// Files of other names that something applies, as Config::manifests has them.
void mark_manifests(Tree& tree, const Config& config);

// The parts of lint_tree that know two trees (lint_change.cpp): reads the base; then marks what the change touches,
// moves findings there and leaves the others out where that is asked for.
std::optional<Error> read_base(const LintRequest& request, LintRun& run, bool judged);
// Whether the rules have to be judged on the base too.
bool judges_base(const LintRequest& request, const std::vector<Suppression>& suppressions);
std::optional<Error> hold_against_base(const LintRequest& request, LintRun& run,
                                       const std::vector<Suppression>& suppressions);
// For the reports; nothing without a base.
std::optional<ChangeStats> change_stats(const LintRequest& request, const LintRun& run);

} // namespace lockstep

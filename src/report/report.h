// What a run made, as all writers are given it, and the writers: one per format, no state, nothing decided.
#pragma once
#include "filter/suppress.h"
#include "rules/ruleset.h"
#include "tree/locate.h"
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep {

// What a run that knows two trees says about the change.
struct ChangeStats {
    std::string base;       // the commit's id; empty before the first commit
    std::string base_shown; // `1a2b3c4d5e6f, where HEAD left main`
    std::uint64_t files_changed = 0;
    bool changed_only = false;
    bool all_shown = false;      // although changed_only: the change touches what steers the run
    std::uint64_t untouched = 0; // findings that changed_only left out
    struct Added {
        Place place;
        std::vector<std::string> rules;
        std::string reason, until;
    };
    std::vector<Added> suppressions;   // that the change adds, moves or widens
    std::vector<std::string> softened; // `.lockstep.yaml: exclude: adds vendor/**`
    std::vector<std::string> submodules;
};

// What a run did besides its findings. Everything but `milliseconds` is the same on every run over the same tree.
struct RunStats {
    std::uint64_t files = 0; // files listed
    std::uint64_t read = 0;  // files whose bytes were read
    std::uint64_t bytes = 0;
    std::uint64_t documents = 0;
    std::uint64_t templates_total = 0; // files with template actions
    std::uint64_t templates_read = 0;  // of these, how many could be read
    std::uint64_t binary = 0;
    std::uint64_t suppressed = 0;
    std::uint64_t undecided = 0;
    std::uint64_t releases_rendered = 0;
    std::uint64_t charts_rendered = 0;            // those that no release uses, with their own values
    std::vector<std::string> charts_not_rendered; // releases and charts with reasons, each once
    std::vector<std::string> charts_incomplete;   // those that lack a chart inside, and which
    // Where nothing in the tree says what is applied.
    std::uint64_t kustomizations_taken_as_applied = 0, charts_taken_as_applied = 0;
    bool argo_names = false; // Applications of Argo CD say which kustomizations these are
    double milliseconds = 0;
    std::optional<ChangeStats> change = {}; // with a base

    struct RuleStats {
        std::string id;
        std::uint64_t passed = 0, failed = 0, undecided = 0, lost = 0; // rows by verdict
        bool applied = false;                                          // it had at least one row
        std::string why_not = {}; // for a rule that did not run or had no row: «pack catalyst is off», «switched off»
        bool ran = true;          // false: switched off, by itself or with its pack; not the same as nothing to check
    };
    std::vector<RuleStats> rules;            // sorted by id
    std::vector<std::string> not_understood; // «Argo CD Application: 3 documents»
};

struct TextOptions {
    bool color = false;
    bool notes = false; // show notes too; otherwise they are counted in the last line
    bool stats = false;
};

// Nothing is copied: the run must outlive it.
struct Report {
    const std::vector<Finding>& findings; // sorted, filtered and folded, notes included
    const std::vector<SuppressedFinding>& suppressed;
    const std::vector<RuleOutcome>& outcomes; // in the order of the rules; their findings are in the two lists above
    const RuleSet& rules;
    const RunStats& stats;
    Locator& locator;

    std::string_view version = {}; // of lockstep
    // From the root of the repository to the linted folder, empty or with a last `/`. Formats that others read against
    // the repository (SARIF, annotations) put it before every path; text and JSON name paths in the linted folder.
    std::string_view prefix = {};
    std::string_view sarif_category = {};
    std::span<const Finding> unfolded = {}; // the findings one by one, for formats that list single subjects
    std::string_view link_base = {};        // address of the root of the repository as it was linted, with a last `/`
    bool sarif_suppressed = true;           // suppressed findings are in the SARIF log, marked as such
    TextOptions text = {};
};

// A report, and what of the findings is not in it, for a person: `left_out` lines end with a line break.
struct Written {
    std::string text;
    std::string left_out = {};
};

Written write_text(const Report& report);
Written write_json(const Report& report);
Written write_lines(const Report& report);
Written write_github(const Report& report);
Written write_step_summary(const Report& report);
Written write_codequality(const Report& report);
Written write_junit(const Report& report);
Written write_sarif(const Report& report);

} // namespace lockstep

// One writer per format, no state: findings and counts in, text out. Nothing here decides anything.
#pragma once
#include "base/finding.h"
#include "tree/locate.h"
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

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
    double milliseconds = 0;

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

// Findings come sorted and filtered, notes included.
std::string report_text(const std::vector<Finding>& findings, const RunStats& stats, Locator& locator,
                        const TextOptions& options);
std::string report_json(const std::vector<Finding>& findings, const RunStats& stats, Locator& locator);

} // namespace lockstep

// What a run did, in words: the last line of the text report, and the block of counts that --stats adds.
#pragma once
#include "report/report.h"

namespace lockstep {

// Rules by what became of them. A rule that was switched off is in neither count.
struct RuleCounts {
    std::uint64_t applied = 0;
    std::uint64_t not_applicable = 0; // ran and found no row
    std::uint64_t off = 0;
};
RuleCounts count_rules(const RunStats& stats);

void append_summary(std::string& out, const std::vector<Finding>& findings, const RunStats& stats,
                    const TextOptions& options);
// With a base: what is before the summary, and the line behind it.
void append_added_suppressions(std::string& out, const ChangeStats& change, Locator& locator);
void append_comparison(std::string& out, const ChangeStats& change);
void append_stats(std::string& out, const RunStats& stats);

} // namespace lockstep

// The findings a repository had when it took lockstep up, one per line, so that only new ones are shown.
#pragma once
#include "rules/ruleset.h"
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace lockstep {

// Each line covers one finding: its key and what it says, with a tab between, and behind another tab `note` or
// `warning` where it was no error. A second finding with the same key, one with the key of another that was fixed
// meanwhile, and a note that has become an error are new.
class Baseline {
public:
    // Lines that start with `#` and empty ones are passed over; the first may tell the version that wrote it. Another
    // version may word its messages otherwise: then a line covers one finding of its key, whatever it says. The same
    // holds for a line without a message, as older versions wrote them.
    Baseline(std::string_view text, std::string_view version);

    // True uses up the line. Also under a former id of its rule, and for a finding that replaces the one that the line
    // is about. Never for a rule that cannot be ignored.
    bool covers(const Finding& finding, const RuleSet& rules);

    const std::set<std::string>& former_ids() const { return former_ids_; } // that covered something

    // Lines that `older` does not have: what a change adds to it.
    std::size_t count_beyond(const Baseline& older) const;

private:
    bool use(const std::string& key, const std::string& message, Severity severity);
    bool use_any(const std::string& key, Severity severity);

    using Words = std::pair<std::string, Severity>;            // "": whatever it says; the gravest that is covered
    std::map<std::string, std::map<Words, std::size_t>> left_; // by key
    bool by_key_ = false;
    std::set<std::string> former_ids_;
};

// Findings of rules that cannot be ignored are left out: no baseline covers them.
std::string write_baseline(const std::vector<Finding>& findings, const RuleSet& rules, std::string_view version);

} // namespace lockstep

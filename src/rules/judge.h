// Runs every rule that is on, declarative and native alike, and settles severities.
#pragma once
#include "rules/check.h"

namespace lockstep {

// What the command line asks for.
struct Selection {
    std::vector<std::string> only, skip; // ids to run alone, and ids to leave out
    bool passes = true;                  // name what passed, too
};

// Severities that hang on packs, settled once it is known which are on. A rule's own pack counts as `severity-in` says.
void settle_packs(RuleSet& rules, const Repository& repository, const Config& config);

// `base` is null where there is nothing to compare with: rules that need it do not run then. Rules run on several
// threads; those that replace findings of others after the rest.
std::vector<RuleOutcome> judge(const RuleSet& rules, const FactPlan& plan, const ReadResult& read, const Config& config,
                               const Selection& selection, std::span<const NativeCheck> checks,
                               const Repository* base = nullptr, unsigned jobs = 1);

} // namespace lockstep

// Runs every rule that is on, declarative and native alike, and settles severities.
#pragma once
#include "rules/check.h"

namespace lockstep {

// Ids to run alone, and ids to leave out, from the command line.
struct Selection {
    std::vector<std::string> only, skip;
};

std::vector<RuleOutcome> judge(const RuleSet& rules, const FactPlan& plan, const ReadResult& read, const Config& config,
                               const Selection& selection, std::span<const NativeCheck> checks);

} // namespace lockstep

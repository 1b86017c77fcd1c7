// What the YAML layer could not read, as findings: one verdict for each file that was parsed.
#pragma once
#include "deploy/fleet.h"
#include "rules/check.h"
#include <functional>

namespace lockstep {

// Of a problem that the rule speaks of.
struct ProblemVerdict {
    std::string undecided; // why nobody can judge it
    std::optional<Finding> finding;
};

// Problems that are no duplicate keys, or only those; `judge` is given the finding as it would be, and may change it.
// No finding and no reason: told already.
using JudgeProblem = std::function<ProblemVerdict(const File& file, const FileProblem& problem, Finding finding)>;
void judge_problems(const CheckInput& input, bool duplicate_keys, const JudgeProblem& judge, RuleOutcome& outcome);

} // namespace lockstep

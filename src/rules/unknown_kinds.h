// Kinds that a repository's own rules ask for and that nothing knows: mostly a slip, and a guard without any row.
#pragma once
#include "index/index.h"
#include "rules/ruleset.h"

namespace lockstep {

// In lines for the user. Known are the kinds of Kubernetes and Flux, those that the tree has objects of, and those that
// its CustomResourceDefinitions define.
std::vector<std::string> unknown_kinds(const RuleSet& rules, const Index& index);

} // namespace lockstep

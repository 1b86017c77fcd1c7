// What a change does to its own guard: differences between two configs after which less is found.
#pragma once
#include "config/config.h"
#include "rules/ruleset.h"
#include <string>
#include <vector>

namespace lockstep {

// One line for each: `exclude: adds vendor/**`. What only makes a run stricter (another must-apply, an exclude less) is
// none; where a difference could go either way, it is one.
std::vector<std::string> softened_config(const Config& before, const Config& after);

// Rule files that went or differ. A new one only adds to the guard, unless it replaces findings of others.
std::vector<std::string> softened_rules(const std::vector<RuleFile>& before, const std::vector<RuleFile>& after);

} // namespace lockstep

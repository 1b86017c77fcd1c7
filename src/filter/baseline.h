// The findings a repository had when it took lockstep up: one stable key per line, so that only new ones are shown.
#pragma once
#include "rules/ruleset.h"
#include <set>
#include <string>
#include <string_view>

namespace lockstep {

// Lines that start with `#` and empty ones are passed over.
std::set<std::string> read_baseline(std::string_view text);
std::string write_baseline(const std::vector<Finding>& findings);

// By its key, also under a former id of its rule.
bool is_in_baseline(const Finding& finding, const std::set<std::string>& keys, const RuleSet& rules);

} // namespace lockstep

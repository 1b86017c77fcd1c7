// Ids that rules had before: they still work everywhere, and a note says what the rule is called now.
#pragma once
#include "filter/suppress.h"
#include <map>
#include <set>

namespace lockstep {

// Where each is used, in the order of the places that name it; no_file for the baseline.
using FormerIds = std::map<std::string, std::vector<Place>>;

FormerIds former_ids_in(const Config& config, const std::vector<Suppression>& suppressions,
                        const std::set<std::string>& of_baseline, const RuleSet& rules, const Tree& tree);

// One note for each.
void report_former_ids(const FormerIds& used, std::vector<RuleOutcome>& outcomes, const RuleSet& rules,
                       const Config& config, std::vector<Finding>& findings);

} // namespace lockstep

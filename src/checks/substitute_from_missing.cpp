// postBuild.substituteFrom of Flux Kustomizations: the ConfigMaps and Secrets that they read exist under that name.
#include "checks/checks.h"
#include "checks/reference_verdicts.h"

namespace lockstep {

void check_substitute_from_missing(const CheckInput& input, RuleOutcome& outcome) {
    ReferenceWords words;
    words.set = "substitute-from";
    words.says = [](const ResolvedReference&, const std::string& who, const std::string& target) {
        return who + " reads " + target;
    };
    words.absent = ", which nothing in this repository makes";
    words.role = "the one that reads";
    words.hand_made_secrets = true;
    judge_references(input, outcome, words);
}

} // namespace lockstep

// dependsOn of Flux Kustomizations and HelmReleases: what they wait for exists.
#include "checks/checks.h"
#include "checks/reference_verdicts.h"

namespace lockstep {

void check_depends_on_missing(const CheckInput& input, RuleOutcome& outcome) {
    ReferenceWords words;
    words.set = "depends-on";
    words.says = [](const ResolvedReference&, const std::string& who, const std::string& target) {
        return who + " waits for " + target;
    };
    words.absent = ", but this repository has none of that name and kind";
    words.role = "the one that waits";
    words.target_with_kind = false;
    judge_references(input, outcome, words);
}

} // namespace lockstep

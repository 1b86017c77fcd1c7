// dependsOn of Flux Kustomizations and HelmReleases: what they wait for exists.
#include "checks/reference_verdicts.h"
#include "rules/check.h"

namespace lockstep::depends_on_missing {
namespace {

void run(const CheckInput& input, RuleOutcome& outcome) {
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

} // namespace

constexpr NativeCheck check{run,
                            "references: set from path to name namespace optional key; makers: by makes name; scripts"};

} // namespace lockstep::depends_on_missing

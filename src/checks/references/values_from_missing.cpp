// valuesFrom of HelmReleases: the ConfigMaps and Secrets that they read exist under that name.
#include "checks/reference_verdicts.h"
#include "rules/check.h"

namespace lockstep::values_from_missing {
namespace {

void run(const CheckInput& input, RuleOutcome& outcome) {
    ReferenceWords words;
    words.set = "values-from";
    words.says = [](const ResolvedReference&, const std::string& who, const std::string& target) {
        return who + " reads " + target;
    };
    words.absent = ", which nothing in this repository makes";
    words.role = "the one that reads";
    words.hand_made_secrets = true;
    judge_references(input, outcome, words);
}

} // namespace

constexpr NativeCheck check{run,
                            "references: set from path to name namespace optional key; makers: by makes name; scripts"};

} // namespace lockstep::values_from_missing

// secretRef of sources, of decryption, of kubeConfig and of notifications: the Secret exists under that name.
#include "checks/checks.h"
#include "checks/reference_verdicts.h"

namespace lockstep {

void check_secret_ref_missing(const CheckInput& input, RuleOutcome& outcome) {
    ReferenceWords words;
    words.set = "secret-ref";
    words.says = [](const ResolvedReference&, const std::string& who, const std::string& target) {
        return who + " reads " + target;
    };
    words.absent = ", which nothing in this repository makes";
    words.role = "the one that reads";
    words.hand_made_secrets = true;
    judge_references(input, outcome, words);
}

} // namespace lockstep

// secretRef of sources, of decryption, of kubeConfig and of notifications: the Secret exists under that name.
#include "checks/reference_verdicts.h"
#include "rules/check.h"

namespace lockstep::secret_ref_missing {
namespace {

void run(const CheckInput& input, RuleOutcome& outcome) {
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

} // namespace

constexpr NativeCheck check{run,
                            "references: set from path to name namespace optional key; makers: by makes name; scripts"};

} // namespace lockstep::secret_ref_missing

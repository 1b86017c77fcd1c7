// sourceRef and chartRef: where Flux Kustomizations, HelmReleases and HelmCharts pull from exists.
#include "checks/reference_verdicts.h"
#include "rules/check.h"

namespace lockstep::source_missing {
namespace {

void run(const CheckInput& input, RuleOutcome& outcome) {
    ReferenceWords words;
    words.set = "source";
    words.says = [](const ResolvedReference&, const std::string& who, const std::string& target) {
        return who + " pulls from " + target;
    };
    words.absent = ", which this repository does not have";
    words.role = "the one that pulls";
    words.key = [](const ResolvedReference& reference) { return reference.row->field; };
    judge_references(input, outcome, words);
}

} // namespace

constexpr NativeCheck check{run,
                            "references: set from path to name namespace optional key; makers: by makes name; scripts"};

} // namespace lockstep::source_missing

// sourceRef and chartRef: where Flux Kustomizations, HelmReleases and HelmCharts pull from exists.
#include "checks/checks.h"
#include "checks/reference_verdicts.h"

namespace lockstep {

void check_source_missing(const CheckInput& input, RuleOutcome& outcome) {
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

} // namespace lockstep

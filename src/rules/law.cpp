// Asks for the chain that proves a finding: that of the instances it speaks of, of the object it stands on, of the
// file.
#include "rules/law.h"
#include "deploy/proof.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
void apply_law(RuleOutcome& outcome, const Repository& repository) {
    const Judges judges = outcome.rule->judges;
    if ((judges != Judges::applied && judges != Judges::file) || outcome.findings.empty()) return;
    Proofs proofs(repository.index, fleet_of(repository));
    std::erase_if(outcome.findings, [&](Finding& finding) {
        if (finding.place.file == no_file) return false;
        const Place& applied = is_there(finding.proof) ? finding.proof : finding.place;
        const Proof proof = finding.instances.empty() ? proofs.at(applied) : proofs.of(finding.instances, applied);
        finding.applied_by = proof.by;
        switch (proof.certainty) {
        case Certainty::loose:
            finding.severity = std::min(finding.severity, Severity::note);
            return false;
        case Certainty::possible: // nobody knows whether a cluster gets it
            if (judges != Judges::applied) {
                finding.severity = std::min(finding.severity, Severity::note);
                return false;
            }
            outcome.undecided(finding.place, finding.key, "nobody knows whether a cluster gets it");
            return true;
        case Certainty::proven:
            break;
        }
        if (proof.passed_over_by != no_number) {
            finding.severity = std::min(finding.severity, Severity::warning);
            const Place path = fleet_of(repository).roots[proof.passed_over_by].place;
            if (std::none_of(finding.related.begin(), finding.related.end(), // it may have been judged before
                             [&](const Related& one) { return one.place == path; }))
                finding.related.push_back({path, "the cluster applies this path, which does not lead here: only a new "
                                                 "bootstrap builds what is here"});
        }
        return false;
    });
}

} // namespace lockstep

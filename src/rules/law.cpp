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
        return false;
    });
}

} // namespace lockstep

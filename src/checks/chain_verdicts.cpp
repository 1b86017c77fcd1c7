// Merges what was found along the chains of one object.
#include "checks/chain_verdicts.h"

namespace lockstep {

void ChainVerdicts::report(RuleOutcome& outcome, const std::string& subject, Place place) {
    if (!findings.empty()) {
        // The same fault on several chains is one finding.
        Finding first = std::move(findings.front());
        for (std::size_t i = 1; i < findings.size(); ++i)
            for (Related& related : findings[i].related) {
                bool there = related.place == first.place;
                for (const Related& known : first.related)
                    there = there || known.place == related.place;
                if (!there) first.related.push_back(std::move(related));
            }
        return outcome.fail(subject, std::move(first));
    }
    if (!undecided.empty()) return outcome.undecided(place, subject, undecided);
    outcome.pass(place, subject);
}

} // namespace lockstep

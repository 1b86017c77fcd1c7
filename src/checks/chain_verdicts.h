// What a check says about one object along the several chains that apply it: one subject, and one finding for the same
// fault.
#pragma once
#include "rules/outcome.h"

namespace lockstep {

struct ChainVerdicts {
    std::string undecided;
    std::vector<Finding> findings;

    void report(RuleOutcome& outcome, const std::string& subject, Place place);
};

} // namespace lockstep

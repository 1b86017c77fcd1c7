// Whether a cluster gets what is at a place of some file, and the chain that proves it. For findings, which are on
// places; `lockstep why` prints the same chains for the file.
#pragma once
#include "base/finding.h"
#include "deploy/chains.h"

namespace lockstep {

struct Proof {
    Certainty certainty = Certainty::loose;
    std::shared_ptr<const AppliedBy> by = {}; // of a proven one; none where the tree does not say what is applied
    std::uint32_t passed_over_by = no_number; // of a proven one that only a new bootstrap builds: as of Root
};

// Remembers what it was asked: a rule may have thousands of findings on one object.
class Proofs {
public:
    Proofs(const Index& index, const Fleet& fleet) : index_(index), fleet_(fleet), chains_(index, fleet, 1) {}
    const Proof& at(Place place);
    // Of these instances alone, whatever else is applied from the place.
    Proof of(const std::vector<std::uint32_t>& instances, Place place);

private:
    AppliedBy applied_by(const std::vector<ChainLink>& chain) const;
    Certainty certainty_at(EntityId object, FileId file) const;
    WhyChains chains_at(EntityId object, FileId file) const;
    WhyChains chains_of_file(FileId file) const;

    const Index& index_;
    const Fleet& fleet_;
    Chains chains_;
    std::unordered_map<EntityId, Proof> of_object_;
    std::unordered_map<FileId, Proof> of_file_;
};

} // namespace lockstep

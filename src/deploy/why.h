// From a file up to the clusters that get what it says: every chain of Flux Kustomizations, kustomizations, charts and
// releases, the outermost link first. For `lockstep why`; answers one file at a time.
#pragma once
#include "deploy/fleet.h"

namespace lockstep {

struct WhyChain {
    std::string cluster;          // the folder it is called by
    std::vector<ChainLink> links; // the last one leads to the file
    Certainty certainty = Certainty::proven;
    std::string why;                    // when it is not proven
    std::uint32_t instance = no_number; // of an object
    std::vector<Place> patches;         // that touch the object on this chain
};

struct WhyChains {
    std::vector<WhyChain> chains; // at most `most_chains`
    std::size_t more = 0;         // how many were left out
};

// One thing in the file: an object, the kustomization it is, or how a kustomization or chart uses it.
struct Part {
    enum class As : std::uint8_t { object, kustomization, patch, generated_from, other_listing, chart } as = As::object;
    EntityId id = no_entity; // the object, kustomization or chart
    WhyChains found;
    std::vector<Place> removed_by; // patches that delete the object somewhere
};

struct Hint {
    std::string text;
    Place place;
};

struct FileChains {
    std::vector<Part> parts;
    std::vector<Hint> hints; // when something in the file is applied by nothing: what is near
};

inline constexpr std::size_t most_chains = 20;

FileChains chains_of_file(const Index& index, const Fleet& fleet, FileId file);

} // namespace lockstep

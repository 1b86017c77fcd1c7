// From one thing up to the clusters that get it: every chain of Flux Kustomizations, kustomizations, charts and
// releases, the outermost link first. What `lockstep why` prints, and what proves a finding.
#pragma once
#include "deploy/fleet.h"
#include <optional>

namespace lockstep {

struct WhyChain {
    std::string cluster;          // the folder it is called by
    std::vector<ChainLink> links; // the last one leads to the thing
    Certainty certainty = Certainty::proven;
    std::uint32_t root = no_number;     // that applies the thing
    std::string why;                    // when it is not proven
    std::uint32_t instance = no_number; // of an object
    std::vector<Place> patches;         // that touch the object on this chain
    std::string refused;                // what kustomize says against it: it would be applied, and the build fails
};

struct WhyChains {
    std::vector<WhyChain> chains;      // proven ones first; what nothing applies only where nothing else is
    std::size_t more = 0;              // how many were left out
    std::vector<std::string> clusters; // that get it for sure, each once
};

inline constexpr std::size_t most_chains = 20; // that somebody reads
inline constexpr std::size_t most_chains_for_programs = 10'000;

class Chains {
public:
    Chains(const Index& index, const Fleet& fleet, std::size_t most = most_chains)
        : index_(index), fleet_(fleet), most_(most) {}

    WhyChains of_object(EntityId id) const;
    // The one of an instance among those of its object; none where other chains say more.
    std::optional<WhyChain> of_instance(std::uint32_t number) const;
    // Of instances that are one thing to whoever wrote it.
    WhyChains of_instances(std::span<const std::uint32_t> numbers) const;
    // With the entry of the kustomization that is meant, as its last link.
    WhyChains of_kustomization(EntityId id, Place entry) const;
    // Through releases, and through charts that depend on it.
    WhyChains of_chart(EntityId id) const;
    // Of a file that kustomize would apply and refuses.
    WhyChains of_refused(FileId file) const;

private:
    struct Wanted { // what is collected in one go
        WhyChains& found;
        Certainty certainty;
        std::vector<EntityId> charts = {}; // that are being followed: a chart may hold its own release
    };
    template <class Add> WhyChains collect(const Add& add) const;
    void add(Wanted& wanted, WhyChain chain) const;
    void add_object(Wanted& wanted, EntityId id, const std::vector<ChainLink>& below) const;
    void add_chart(Wanted& wanted, EntityId id, const std::vector<ChainLink>& below) const;
    void add_through(Wanted& wanted, const Root& root, EntityId id, Place entry) const;
    bool is_left_to_releases(const Instance& one) const;
    WhyChain chain_to(const Root& root, std::vector<ChainLink> links) const;

    const Index& index_;
    const Fleet& fleet_;
    std::size_t most_;
};

} // namespace lockstep

// Which Flux release an object of the tree meets: the pins of its Flux group, as flux-version-split sees them.
#pragma once
#include "deploy/repository.h"
#include "index/flux_knowledge.h"
#include "index/flux_sites.h"
#include <set>
#include <unordered_map>

namespace lockstep {

struct FluxPin {
    Version version;
    Version oldest;    // of a range; else the same
    std::string flux;  // `2.4.0`; of a range the newest release in it
    std::string said;  // `cloud-init installs Flux 2.4.0`
    std::string group; // of the site
    Place place;
    bool range = false; // nobody knows which of its releases runs
    bool newer = false; // than what is known: only what is gone is sure
    bool open = false;  // that, or a range without an upper end: more may be there than is known
};

struct Pinned {
    std::vector<FluxPin> pins; // one per release; several where clusters, or the sites of one cluster, differ
    std::string undecided;     // why nothing can be said; empty when `pins` says it all, no pin at all included
    bool split = false;        // the sites of one group disagree: flux-version-split reports it

    bool none() const { return pins.empty() && undecided.empty(); }
};

class PinnedFlux {
public:
    // Without facts nothing is pinned.
    PinnedFlux(const Repository& repository, const Config& config, const FluxFacts* facts,
               const FluxKnowledge& knowledge);
    Pinned of_object(const Object& object);
    const Pinned& of_file(FileId file); // any file that Flux applies, or that something it applies is made from
    Pinned of_chart(EntityId chart);    // where it is released
    Pinned of_all() const;              // of whatever cluster

private:
    struct Group {
        std::vector<FluxPin> pins;
        std::string undecided;
    };
    void find_clusters(const Fleet& fleet);
    std::set<std::string> groups_of(FileId file) const;
    void add_group_of(FileId file, std::set<std::string>& groups) const;
    Pinned of_groups(const std::set<std::string>& groups) const;

    const Index& index_;
    const Config& config_;
    std::map<std::string, Group> groups_;
    bool one_cluster_ = false; // as far as pins tell: then every file meets the same ones
    Pinned everywhere_;
    std::vector<std::vector<std::uint32_t>> clusters_of_; // per file
    std::vector<std::set<std::string>> cluster_groups_;   // per cluster
    std::set<std::uint32_t> elsewhere_;                   // clusters that another one's Flux applies things to
    std::unordered_map<FileId, Pinned> by_file_;
    std::vector<std::vector<EntityId>> releases_of_chart_;
};

// How the pins relate to something that came with a release.
struct Reach {
    std::vector<const FluxPin*> without; // pins that certainly do not have it
    bool all = false;                    // no pin has it
    bool unsure = false;
};
Reach reach(const FluxKnowledge& knowledge, const Pinned& pinned, std::string_view since);

} // namespace lockstep

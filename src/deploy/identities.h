// The objects of one fleet by identity: group, kind, namespace and name as applied, not the path. Two of these, one per
// tree, tell what a change does to an object wherever its file went.
#pragma once
#include "deploy/fleet.h"
#include <map>

namespace lockstep {

class Identities {
public:
    using Wanted = std::function<bool(const Instance& instance)>;
    // One whose identity hangs on a value that is not known is left out, and what nothing applies.
    Identities(const Fleet& fleet, const Wanted& wanted);

    const std::map<std::string, std::vector<std::uint32_t>>& all() const { return all_; } // to instances
    const Fleet& fleet() const { return fleet_; }
    const Instance& instance(std::uint32_t number) const { return fleet_.instances[number]; }
    // What applies it, the same in both trees: its cluster, and the Flux Kustomization by name or the built folder.
    std::string root_key(const Instance& instance) const;
    const std::string& cluster(const Instance& instance) const;

private:
    const Fleet& fleet_;
    std::map<std::string, std::vector<std::uint32_t>> all_;
};

// What a finding about an instance stands for and where, whether this tree declares the object or a chart makes it.
std::string subject_of(const Index& index, const Instance& instance);
Place place_of(const Index& index, const Instance& instance);
// Helm makes it anew each time, and no release owns it.
bool is_hook(const Fleet& fleet, const Instance& instance);

// What an instance of `head` was in `base`: the same one under the same root; where there is none, the one under a root
// of the same cluster that it has left.
std::vector<std::uint32_t> before(const Identities& base, const Identities& head, const std::string& identity,
                                  const Instance& now);

} // namespace lockstep

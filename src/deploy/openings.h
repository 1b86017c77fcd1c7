// What may bring objects to a cluster that this tree does not show: other repositories, remote bases, charts that are
// not at hand, operators. Each opens one cluster, and one namespace where that is known, for some kinds; nothing opens
// the whole tree.
#pragma once
#include "deploy/fleet.h"
#include "deploy/installers.h"
#include "deploy/reference_rows.h"
#include <map>

namespace lockstep {

bool is_flux_group(std::string_view group);

class Openings {
public:
    // Objects of the makers bring what their rows say and nothing else. `installed` may be in any cluster.
    Openings(const Fleet& fleet, const Index& index, const std::vector<MakerRow>& makers,
             std::vector<InstalledChart> installed);

    // Why an object of this kind may come from what is not shown. Empty: this tree shows all that the cluster gets
    // there. An empty `ns` asks for any namespace, and for kinds that have none. Without `charts` only other
    // repositories count, and not what charts and operators make.
    std::string reason(std::uint32_t cluster, const GroupKind& wanted, std::string_view ns, bool charts = true);
    // Why people or other repositories may have put it there, without a trace in this tree. Empty: they did not.
    std::string outside(std::uint32_t cluster, const GroupKind& wanted) const;
    // Nothing in this tree applies what the cluster begins with: its sync is not in Git, or another repository has it.
    bool begins_unseen(std::uint32_t cluster) const { return unseen_.contains(cluster); }
    // In a folder with what such a cluster begins with: whoever applies that may apply this, too.
    bool is_below_unseen_sync(std::uint32_t cluster, std::string_view path) const;

private:
    enum class Brings : std::uint8_t {
        anything,
        no_sources,      // a Kustomization whose own source nobody knows
        sync,            // GitRepository and Kustomization
        no_flux_objects, // manifests of other projects, charts, operators
    };
    // What it brings, and the namespace, empty for any: the first reason met.
    using OfCluster = std::map<Brings, std::map<std::string, std::string, std::less<>>>;
    const OfCluster& of(std::uint32_t cluster);
    void add_gaps(const Root& root, OfCluster& made) const;
    void add_instance(std::uint32_t number, OfCluster& made) const;
    bool is_definitions_only(const Root& root) const;
    bool brings_no_flux_objects(const Gap& gap) const;

    const Fleet& fleet_;
    const Index& index_;
    std::vector<GroupKind> known_makers_;
    std::vector<InstalledChart> installed_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> roots_; // by cluster
    std::map<std::uint32_t, OfCluster> openings_;               // by cluster, when asked for
    std::map<std::uint32_t, std::vector<std::string>> unseen_;  // by cluster: folders that somebody applies
};

} // namespace lockstep

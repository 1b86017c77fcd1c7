// What helm-controller does with what Helm renders, before it is applied: spec.postRenderers, spec.commonMetadata, and
// which hooks run at all.
#pragma once
#include "deploy/cluster_versions.h"
#include "kustomize/build.h"

namespace lockstep {

struct PostRendering {
    enum class Hooks : std::uint8_t {
        apart,    // post-renderers do not see them
        separate, // by themselves
        together, // in one stream with the rest: what is in it twice is refused
    } hooks = Hooks::apart;
    std::vector<ExtraLayer> layers; // one after the other
    const Value* labels = nullptr;  // of commonMetadata; files of crds/ have none of it
    const Value* annotations = nullptr;
    bool no_install = false, no_upgrade = false, no_delete = false, no_rollback = false; // hooks are disabled

    // False: Helm never runs a hook of these events.
    bool runs(const std::vector<std::string>& events) const;
    bool changes_nothing() const { return layers.empty() && !labels && !annotations; }
};

PostRendering post_rendering(const Value* release, const ClusterVersions& runs, Place place, Arena& arena);

// `patchesStrategicMerge` and `patchesJson6902`, which hold their patches as trees.
void add_older_patches(const Value& owner, Arena& arena, ExtraLayer& layer);

} // namespace lockstep

// What Flux makes of a folder before kustomize builds it: the manifests that it lists by itself, and the edits of a
// Flux Kustomization on top.
#pragma once
#include "deploy/flux_spec.h"
#include "index/index.h"
#include "kustomize/build.h"
#include "tree/gitignore.h"

namespace lockstep {

// What source-controller leaves out of an artifact: its own list, and a .sourceignore at the root.
class SourceIgnore {
public:
    explicit SourceIgnore(const Tree& tree);
    bool covers(std::string_view path) const;

private:
    std::vector<IgnoreRules> rules_; // later ones overrule
};

// Every manifest below a folder without a kustomization, and each folder below that has one as a whole, in the order in
// which Flux meets them; relative to the folder. Templates of charts are left out.
std::vector<std::string> manifests_below(const Index& index, const SourceIgnore& ignore, const std::string& dir);

// Nothing when the Flux Kustomization takes the folder's kustomization as it is.
std::optional<ExtraLayer> layer_of(const Index& index, const SourceIgnore& ignore, const std::string& dir,
                                   const FluxSpec& spec);

} // namespace lockstep

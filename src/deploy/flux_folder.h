// What Flux makes of a folder before kustomize builds it: the manifests that it lists by itself, and the edits of a
// Flux Kustomization on top.
#pragma once
#include "deploy/flux_spec.h"
#include "index/index.h"
#include "kustomize/build.h"
#include "tree/gitignore.h"

namespace lockstep {

// What source-controller leaves out of an artifact: what every .sourceignore says of its folder, and spec.ignore of the
// source; where neither has a pattern, its own list; git's files in any case.
class SourceIgnore {
public:
    // Files of that name have been read. `place` is that of `of_source`.
    explicit SourceIgnore(const Tree& tree, std::string_view of_source = {}, Place place = {});
    bool covers(std::string_view path) const { return covered_by(path).has_value(); }
    // The line that leaves the path out; of no file where it is Flux's own list.
    std::optional<Place> covered_by(std::string_view path) const;

    static constexpr std::string_view file_name = ".sourceignore";

private:
    struct Rules {
        std::string below; // the folder with its last '/'; empty for the root
        IgnoreRules rules;
        Place place; // of the file: each line has its own; else of all rules
        bool by_line = false;
    };
    std::vector<Rules> rules_; // later ones overrule
};

// Flux refuses a component of elsewhere: a url, or a path that is not relative.
bool is_local_component(std::string_view path);

// Every manifest below a folder without a kustomization, and each folder below that has one as a whole, in the order in
// which Flux meets them; relative to the folder. Templates of charts are left out.
std::vector<std::string> manifests_below(const Index& index, const SourceIgnore& ignore, const std::string& dir);

// Nothing when the Flux Kustomization takes the folder's kustomization as it is. Patches of older specs are written
// into `arena`.
std::optional<ExtraLayer> layer_of(const Index& index, const SourceIgnore& ignore, const std::string& dir,
                                   const FluxSpec& spec, Arena& arena);

} // namespace lockstep

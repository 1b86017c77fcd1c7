// Says of which objects rules about what is applied can be sure; the older way, of which only flux-path-missing is
// left.
#include "checks/known_objects.h"
#include "checks/listed_paths.h"
#include "checks/mentions.h"
#include "checks/nodes.h"
#include "index/cells.h"

namespace lockstep {
namespace {

// Below folders that hold no live configuration: documentation, tests, what new things are copied from.
bool is_aside(std::string_view path) {
    for (auto slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/')) {
        const std::string_view folder = path.substr(0, slash);
        for (std::string_view one : {"doc", "docs", "e2e", "hack", "skeleton", "template", "test", "tests"})
            if (folder == one) return true;
        path.remove_prefix(slash + 1);
    }
    return false;
}

// What `kubectl get -o yaml` prints, kept as a backup: the world it speaks of is that of its day. The word is looked
// for first, as the nodes of a file cost more.
bool is_live_copy(const Repository& repository, const Object& object) {
    if (document_text(*repository.tree, object).find("resourceVersion") == std::string_view::npos) return false;
    const NodeRef root = Nodes(repository).root(object);
    return node_at(root, {"metadata", "resourceVersion"}) && node_at(root, {"metadata", "uid"});
}

} // namespace

Standing standing_of(const Repository& repository, const Object& object, Ours source) {
    using Is = Standing::Is;
    const Index& index = repository.index;
    const std::string& path = repository.tree->files[object.file].path;
    if (object.bootstrap) return {};
    if (object.embedded) return {Is::not_judged, "a text inside another object"};
    if (is_sample_path(path) || is_aside(path)) return {Is::not_judged, "a sample or a test by its path"};
    if (object.in_templates && index.listers.of(object.file).empty())
        return {Is::not_judged, "only Helm can render it"};
    for (EntityId flux : flux_above(index, object.file))
        if (index.flux_edges[flux].this_repository == Ours::yes) return {};
    if (is_live_copy(repository, object)) return {Is::not_judged, "a copy out of a cluster"};
    if (source == Ours::yes) return {};
    return {Is::loose, "nothing in this tree applies it"};
}

} // namespace lockstep

// Look-up by kind, namespace and name, and the choice among several declarations of one name.
#include "index/links.h"
#include <algorithm>
#include <tuple>

namespace lockstep {

namespace {

bool declares(const Object& object) {
    return !object.partial && !object.as_patch && is_known(object.name) && is_known(object.kind);
}

std::size_t common_prefix(std::string_view a, std::string_view b) {
    std::size_t i = 0;
    while (i < a.size() && i < b.size() && a[i] == b[i])
        ++i;
    return i;
}

} // namespace

void link_names(Index& index) {
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (declares(object)) index.objects_by_name.add(object.kind.text, object.name.text, id);
    }
    index.objects_by_name.sort();
    for (EntityId id = 0; id < index.sources.size(); ++id) {
        const Source& source = index.sources[id];
        if (is_known(source.name) && !index.objects[source.object].as_patch)
            index.sources_by_name[name_key(source.kind, source.name.text)].push_back(id);
    }
    for (EntityId id = 0; id < index.releases.size(); ++id) {
        const Object& object = index.objects[index.releases[id].object];
        if (declares(object)) index.releases_by_name[object.name.text].push_back(id);
    }
    for (EntityId id = 0; id < index.flux_kustomizations.size(); ++id) {
        const Object& object = index.objects[index.flux_kustomizations[id].object];
        if (declares(object)) index.flux_by_name[object.name.text].push_back(id);
    }
}

std::vector<EntityId> find_objects(const Index& index, std::string_view kind, std::string_view ns,
                                   std::string_view name) {
    std::vector<EntityId> found;
    for (const auto& [hash, id] : index.objects_by_name.candidates(kind, name)) {
        if (index.objects[id].kind.text != kind || index.objects[id].name.text != name) continue;
        const Cell& own = index.objects[id].ns;
        if (ns.empty() || !is_known(own) || own.text == ns) found.push_back(id);
    }
    return found;
}

std::size_t nearest_object(const Index& index, std::size_t count, const ObjectAt& object_at, std::string_view ns,
                           FileId near) {
    const std::string_view path = index.tree->files[near].path;
    const std::string& tree = index.file_trees[near];
    const auto shared = [&](const Object& object) { return common_prefix(path, index.tree->files[object.file].path); };
    using Score = std::tuple<bool, bool, bool, bool, std::size_t>;
    const auto most = [&](std::size_t at) { // of this one and all behind it, seen from `near`: paths are in order
        const Object& object = object_at(at);
        return Score{true, true, object.file == near, true, shared(object)};
    };
    std::size_t low = 0, high = count; // the first that is not before `near`
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (object_at(middle).file < near)
            low = middle + 1;
        else
            high = middle;
    }
    std::size_t best = count;
    Score best_score;
    while (low > 0 || high < count) { // what lies between them was looked at
        const Score below = low > 0 ? most(low - 1) : Score(), above = high < count ? most(high) : Score();
        if (best < count && std::max(below, above) < best_score) break;
        const std::size_t at = below >= above && low > 0 ? --low : high++;
        const Object& object = object_at(at);
        if (!ns.empty() && is_known(object.ns) && object.ns.text != ns) continue;
        const Score score{tree_of(index, object).empty() || tree.empty() || tree_of(index, object) == tree,
                          ns.empty() || is_known(object.ns), object.file == near, !object.embedded || object.bootstrap,
                          shared(object)};
        if (best < count && (score < best_score || (score == best_score && at > best))) continue; // of equals the first
        best = at;
        best_score = score;
    }
    return best;
}

std::string namespace_for(const Index& index, const Reference& reference, EntityId referrer) {
    if (is_known(reference.ns)) return reference.ns.text;
    if (reference.ns.state == State::templated || referrer == no_entity) return {};
    const Cell& own = index.objects[referrer].ns;
    return is_known(own) ? own.text : std::string();
}

EntityId find_source(const Index& index, const Reference& reference, EntityId referrer) {
    if (!is_known(reference.kind) || !is_known(reference.name)) return no_entity;
    auto found = index.sources_by_name.find(name_key(reference.kind.text, reference.name.text));
    if (found == index.sources_by_name.end()) return no_entity;
    return nearest_entity(index, found->second, namespace_for(index, reference, referrer), index.objects[referrer].file,
                          [&](EntityId id) { return index.sources[id].object; });
}

} // namespace lockstep

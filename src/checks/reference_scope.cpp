// Namespaces of objects as they are applied.
#include "checks/reference_scope.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

bool add_namespaces(const Repository& repository, EntityId id, std::set<std::string>& found) {
    const Object& object = repository.index.objects[id];
    const Closure& closure = closure_of(repository);
    const auto applied = closure.by_object.of(id);
    if (applied.empty()) { // nobody is known to apply it: then it stays where it says
        if (object.in_templates || (object.embedded && !object.bootstrap) || !is_known(object.ns)) return false;
        found.insert(object.ns.text);
        return true;
    }
    for (std::uint32_t number : applied) {
        const Applied& one = closure.applied[number];
        const ClosureRoot& root = closure.roots[one.root];
        // What no Flux Kustomization of this tree applies may be moved by the one that does.
        if (!one.sure || !is_known(one.ns) || !root.sure || root.flux == no_entity) return false;
        found.insert(one.ns.text);
    }
    return true;
}

} // namespace

Namespaces namespaces_of_all(const Repository& repository, const std::vector<EntityId>& objects) {
    std::set<std::string> found;
    for (EntityId id : objects)
        if (!add_namespaces(repository, id, found)) return std::nullopt;
    return found;
}

Namespaces namespaces_looked_in(const Repository& repository, EntityId referrer, const Cell& ns) {
    if (is_known(ns)) return std::set<std::string>{ns.text};
    if (is_set(ns)) return std::nullopt;
    return namespaces_of_all(repository, {referrer});
}

std::string shown(const std::set<std::string>& namespaces) {
    constexpr std::size_t most = 4;
    std::vector<std::string> names(namespaces.begin(), namespaces.end());
    if (names.size() > most) {
        const std::size_t left = names.size() - (most - 1);
        names.resize(most - 1);
        names.push_back(std::to_string(left) + " more");
    }
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return text;
}

} // namespace lockstep

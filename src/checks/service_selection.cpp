// Selectors against the labels of pod templates.
#include "checks/service_selection.h"
#include "deploy/fleet.h"
#include "index/cells.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep {
namespace {

// Some cluster gets both, in one namespace.
bool are_applied_together(const Fleet& fleet, EntityId a, EntityId b) {
    std::set<std::pair<std::uint32_t, std::string_view>> where;
    for (std::uint32_t number : fleet.of_object(a)) {
        const Instance& one = fleet.instances[number];
        where.emplace(fleet.root_of(one).cluster, one.id().ns);
    }
    const auto others = fleet.of_object(b);
    return std::any_of(others.begin(), others.end(), [&](std::uint32_t number) {
        const Instance& one = fleet.instances[number];
        return where.count({fleet.root_of(one).cluster, one.id().ns}) != 0;
    });
}

// The same selector may be in many corners of a repository: only neighbours speak of each other.
bool are_neighbours(const Repository& repository, const Object& a, const Object& b) {
    const Index& index = repository.index;
    if (is_known(a.ns) && is_known(b.ns)) {
        if (a.ns.text != b.ns.text) return false;
        if (tree_of(index, a) == tree_of(index, b)) return true;
    }
    if (a.file == b.file) return true;
    if (directory_of(index.tree->files[a.file].path) == directory_of(index.tree->files[b.file].path)) return true;
    return are_applied_together(fleet_of(repository), static_cast<EntityId>(&a - index.objects.data()),
                                static_cast<EntityId>(&b - index.objects.data()));
}

} // namespace

ServiceSelection::ServiceSelection(const Repository& repository, Nodes& nodes)
    : repository_(repository), nodes_(nodes) {
    const Index& index = repository.index;
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (object.kind.text != "Service" || !object.group.empty() || object.partial || object.as_patch) continue;
        Service service{id, {}};
        bool known = true;
        for (const Pair& pair : pairs_at(object.file, nodes.root(object), {"spec", "selector"})) {
            known = known && is_known(pair.key) && is_known(pair.value);
            service.selector.emplace_back(pair.key.text, pair.value.text);
        }
        if (!known || service.selector.empty()) continue;
        std::string first = service.selector.front().first + "=" + service.selector.front().second;
        by_first_[std::move(first)].push_back(std::move(service));
    }
}

std::vector<EntityId> ServiceSelection::selecting(const Object& workload) const {
    std::vector<EntityId> found;
    std::map<std::string, std::string> labels;
    for (const Pair& pair : pairs_at(workload.file, nodes_.root(workload), {"spec", "template", "metadata", "labels"}))
        if (is_known(pair.value)) labels[pair.key.text] = pair.value.text;
    for (const auto& [key, value] : labels) {
        const auto services = by_first_.find(key + "=" + value);
        if (services == by_first_.end()) continue;
        for (const Service& service : services->second) {
            const bool fits = std::all_of(service.selector.begin(), service.selector.end(), [&](const auto& pair) {
                const auto label = labels.find(pair.first);
                return label != labels.end() && label->second == pair.second;
            });
            const Object& object = repository_.index.objects[service.object];
            if (fits && are_neighbours(repository_, workload, object)) found.push_back(service.object);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace lockstep

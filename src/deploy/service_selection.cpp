// Selectors against the labels of pod templates.
#include "deploy/service_selection.h"
#include "deploy/flux_spec.h"
#include "deploy/identities.h"
#include "index/cells.h"
#include <algorithm>
#include <map>
#include <tuple>

namespace lockstep {
namespace {

// Some cluster gets both, in one namespace.
bool are_applied_together(const Fleet& fleet, std::span<const std::uint32_t> some, const Instance& other) {
    return std::any_of(some.begin(), some.end(), [&](std::uint32_t number) {
        const Instance& one = fleet.instances[number];
        return fleet.root_of(one).cluster == fleet.root_of(other).cluster && one.id().ns == other.id().ns;
    });
}

} // namespace

// The same selector may be in many corners of a repository: only neighbours refer to each other.
bool ServiceSelection::are_neighbours(const Object& workload, const SelectingService& service) const {
    const Index& index = repository_.index;
    const Fleet& fleet = fleet_of(repository_);
    const auto instances = fleet.of_object(static_cast<EntityId>(&workload - index.objects.data()));
    if (service.instance) return are_applied_together(fleet, instances, *service.instance);
    const Object& object = index.objects[service.object];
    if (is_known(workload.ns) && is_known(object.ns)) {
        if (workload.ns.text != object.ns.text) return false;
        if (tree_of(index, workload) == tree_of(index, object)) return true;
    }
    if (directory_of(index.tree->files[workload.file].path) == directory_of(index.tree->files[object.file].path))
        return true;
    const auto others = fleet.of_object(service.object);
    return std::any_of(others.begin(), others.end(), [&](std::uint32_t number) {
        return are_applied_together(fleet, instances, fleet.instances[number]);
    });
}

void ServiceSelection::add(SelectingService service) {
    if (service.selector.empty()) return;
    const std::string first = service.selector.front().first + "=" + service.selector.front().second;
    by_first_[first].push_back(std::move(service));
}

ServiceSelection::ServiceSelection(const Repository& repository, Nodes& nodes)
    : repository_(repository), nodes_(nodes) {
    const Index& index = repository.index;
    const Fleet& fleet = fleet_of(repository);
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (object.kind.text != "Service" || !object.group.empty() || object.partial || object.as_patch) continue;
        if (fleet.is_shown(object)) continue;
        SelectingService service{id, nullptr, object.name.text, object.name.place, {}};
        bool known = true;
        for (const Pair& pair : pairs_at(object.file, nodes.root(object), {"spec", "selector"})) {
            known = known && is_known(pair.key) && is_known(pair.value);
            service.selector.emplace_back(pair.key.text, pair.value.text);
        }
        if (known) add(std::move(service));
    }
    for (const Instance& one : fleet.instances) {
        if (one.id().kind != "Service" || !one.id().group.empty() || !fleet.is_rendered(one)) continue;
        if (fleet.certainty_of(one) == Certainty::possible) continue;
        Arena arena;
        const Value* selector = value_at(fleet.tree_of(one, arena), {"spec", "selector"});
        SelectingService service{one.object, &one, std::string(one.id().name), place_of(index, one), {}};
        bool known = true;
        for (std::size_t i = 0; selector && selector->is_mapping() && i < selector->size(); ++i) {
            known = known && !selector->value_at(i)->unknown;
            service.selector.emplace_back(selector->key_at(i)->text, selector->value_at(i)->text);
        }
        if (known) add(std::move(service));
    }
}

std::vector<const SelectingService*> ServiceSelection::selecting(const Object& workload) const {
    std::vector<const SelectingService*> found;
    std::map<std::string, std::string> labels;
    for (const Pair& pair : pairs_at(workload.file, nodes_.root(workload), {"spec", "template", "metadata", "labels"}))
        if (is_known(pair.value)) labels[pair.key.text] = pair.value.text;
    for (const auto& [key, value] : labels) {
        const auto services = by_first_.find(key + "=" + value);
        if (services == by_first_.end()) continue;
        for (const SelectingService& service : services->second) {
            const bool fits = std::all_of(service.selector.begin(), service.selector.end(), [&](const auto& pair) {
                const auto label = labels.find(pair.first);
                return label != labels.end() && label->second == pair.second;
            });
            const bool again = std::any_of(found.begin(), found.end(), [&](const SelectingService* one) {
                return one->place == service.place && one->name == service.name; // of another cluster
            });
            if (fits && !again && are_neighbours(workload, service)) found.push_back(&service);
        }
    }
    std::sort(found.begin(), found.end(), [](const SelectingService* a, const SelectingService* b) {
        return std::tie(a->place, a->name) < std::tie(b->place, b->name);
    });
    return found;
}

} // namespace lockstep

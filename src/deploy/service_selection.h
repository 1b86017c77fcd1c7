// Which Services send traffic to a workload: by selector, among those that are applied with it.
#pragma once
#include "deploy/fleet.h"
#include "deploy/nodes.h"
#include <unordered_map>

namespace lockstep {

// As it is written or, of a chart that is rendered, as a cluster gets it.
struct SelectingService {
    EntityId object = no_entity;
    const Instance* instance = nullptr;
    std::string name;
    Place place;
    std::vector<std::pair<std::string, std::string>> selector;
};

class ServiceSelection {
public:
    ServiceSelection(const Repository& repository, Nodes& nodes);
    std::vector<const SelectingService*> selecting(const Object& workload) const;

private:
    void add(SelectingService service);
    bool are_neighbours(const Object& workload, const SelectingService& service) const;

    const Repository& repository_;
    Nodes& nodes_;
    std::unordered_map<std::string, std::vector<SelectingService>> by_first_; // `key=value` of the first pair
};

} // namespace lockstep

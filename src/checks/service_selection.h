// Which Services send traffic to a workload: by selector, among those that are applied with it.
#pragma once
#include "checks/nodes.h"
#include <unordered_map>

namespace lockstep {

class ServiceSelection {
public:
    ServiceSelection(const Repository& repository, Nodes& nodes);
    std::vector<EntityId> selecting(const Object& workload) const; // objects of kind Service

private:
    struct Service {
        EntityId object;
        std::vector<std::pair<std::string, std::string>> selector;
    };
    const Repository& repository_;
    Nodes& nodes_;
    std::unordered_map<std::string, std::vector<Service>> by_first_; // `key=value` of the first pair
};

} // namespace lockstep

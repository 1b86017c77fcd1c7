// ConfigMaps and Secrets that generators of kustomizations make, and whether the hash in their names is carried into a
// field of Flux that reads them: kustomize knows no field of Flux by itself, a `nameReference` has to teach it.
#pragma once
#include "index/index.h"
#include <map>
#include <set>

namespace lockstep {

struct GeneratedObject {
    EntityId kustomization = no_entity;
    const Generator* generator = nullptr;
};

class GeneratedNames {
public:
    explicit GeneratedNames(const Index& index);
    const std::vector<GeneratedObject>& find(bool secret, const std::string& name) const; // before the hash
    bool may_be_templated(bool secret, std::string_view name) const;
    // Some kustomization that builds the generator's output speaks of the field, or may.
    bool is_taught(EntityId kustomization, std::string_view field);

private:
    std::set<EntityId> speakers(std::string_view field) const;
    const Index& index_;
    std::map<std::pair<bool, std::string>, std::vector<GeneratedObject>> made_;
    std::set<std::pair<bool, std::string>> patterns_;
    std::map<std::string, std::set<EntityId>, std::less<>> taught_; // with all kustomizations above
    std::vector<GeneratedObject> none_;
};

} // namespace lockstep

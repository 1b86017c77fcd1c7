// In which namespaces a reference looks, and in which the objects it names stand, after kustomize and Flux have moved
// them. Nothing is said where one of them is not sure.
#pragma once
#include "rules/read.h"
#include <optional>
#include <set>

namespace lockstep {

using Namespaces = std::optional<std::set<std::string>>;

Namespaces namespaces_of_all(const Repository& repository, const std::vector<EntityId>& objects);
// `ns` is that of the reference; without one it looks beside the object that refers.
Namespaces namespaces_looked_in(const Repository& repository, EntityId referrer, const Cell& ns);

// The namespace that is looked in when all objects of the name surely stand in others; empty when one may be met.
std::string missed_namespace(const Repository& repository, EntityId referrer, const Cell& ns,
                             const std::vector<EntityId>& objects);

// `a` or `a and b`, for messages.
std::string shown(const std::set<std::string>& namespaces);

} // namespace lockstep

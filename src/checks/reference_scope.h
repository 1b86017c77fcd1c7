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

// `a`, `a and b` or `a, b, c and 7 more`, for messages.
std::string shown(const std::set<std::string>& namespaces);

} // namespace lockstep

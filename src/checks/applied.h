// The objects of one tree as they reach the cluster, found by identity: group, kind, namespace and name as applied, not
// the path. Two of these, one per tree, tell what a change does to an object wherever its file went.
#pragma once
#include "checks/force.h"
#include <functional>
#include <map>

namespace lockstep {

struct RoutedObject {
    const Object* object = nullptr;
    Route route;
    std::string root; // what applies it: the Flux Kustomization by file and name, or the topmost kustomization's folder
    std::string tree; // the cluster tree that this stands in
};

class AppliedObjects {
public:
    using Wanted = std::function<bool(const Object& object)>;
    // Declared objects that kustomize or Flux applies; one whose identity hangs on a templated value is left out.
    AppliedObjects(const Repository& repository, const Wanted& wanted);

    const std::map<std::string, std::vector<RoutedObject>>& by_identity() const { return by_identity_; }
    const Repository& repository() const { return repository_; }
    const Index& index() const { return repository_.index; }
    Overlay& overlay() { return overlay_; }

private:
    const Repository& repository_;
    Overlay overlay_;
    std::map<std::string, std::vector<RoutedObject>> by_identity_;
};

// What an applied object of `head` was in `base`: the same one under the same root; where there is none, the one under
// a root that it has left. The same object of another cluster is not meant.
std::vector<const RoutedObject*> before(const AppliedObjects& base, const AppliedObjects& head,
                                        const std::string& identity, const RoutedObject& now);

// `group/Kind/namespace/name` at the end of a route. Empty when it cannot be told.
std::string applied_identity(const Index& index, const Object& object, const Route& route);
std::string root_of(const Index& index, const Route& route);

// True when Flux was told to leave a live object as it is (`ssa: IfNotPresent`, `ssa: Ignore`, `reconcile: disabled`).
bool is_left_alone(Overlay& overlay, const Object& object, const Route& route);
// True when force is on for the object: by its own mark or by its Flux Kustomization. `unsure` says why it cannot be
// told.
bool is_forced(Overlay& overlay, const Index& index, const RoutedObject& applied, std::string& unsure);

} // namespace lockstep

// Names of Kubernetes resources as people type them (`deploy`, `hr`, `HelmRelease`, `certificates.cert-manager.io`):
// for checks that read kubectl commands.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

struct ResourceType {
    std::string plural, group, kind; // kind is empty for a type that only `plural.group` names
};

// Nothing for a word that no table knows: it may be the short name of any custom resource.
std::optional<ResourceType> resource_type(std::string_view word);

} // namespace lockstep

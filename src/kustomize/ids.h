// Who a resource is, as kustomize compares it: groups, kinds, namespaces that count as equal, the legacy order.
#pragma once
#include "kustomize/resource.h"
#include <string>

namespace lockstep {

// Certain by the types that kustomize carries; kinds that it does not know are taken to live in a namespace.
bool is_cluster_scoped(std::string_view group, std::string_view version, std::string_view kind);
inline bool is_cluster_scoped(const ResourceId& id) {
    return is_cluster_scoped(id.group, id.version, id.kind);
}
// The definition of a kind's fields (schema.h), or empty.
std::string_view definition_of(std::string_view api_version, std::string_view kind);

// `default` for none, `_non_namespaceable_` for cluster-scoped kinds.
std::string_view effective_namespace(const ResourceId& id);
bool same_kind(const ResourceId& a, const ResourceId& b); // group, version, kind
bool same_object(const ResourceId& a, const ResourceId& b);
std::size_t hash_of(const ResourceId& id); // equal for those that are the same object

// Ids that the resource had before, oldest first; not the current one.
std::vector<ResourceId> earlier_ids(const Resource& resource);
void split_api_version(std::string_view api_version, std::string_view& group, std::string_view& version);
std::string api_version_of(const ResourceId& id);
std::string kind_text(const ResourceId& id); // `Deployment.v1.apps`

int legacy_rank(std::string_view kind); // below zero: first; above: last
std::string legacy_kind_text(std::string_view group, std::string_view version, std::string_view kind);

} // namespace lockstep

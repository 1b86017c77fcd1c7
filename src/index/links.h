// The steps that link a merged index, in the order link_index runs them. Internal to link_index.
#pragma once
#include "index/cells.h"
#include "index/index.h"

namespace lockstep {

void add_published_by_workflows(Index& index); // to what shell files publish

void link_names(Index& index);
void link_charts(Index& index, const Layout& layout);
void link_kustomizations(Index& index, unsigned jobs);
void link_sources(Index& index, const IndexOptions& options); // which Git sources are this repository
void link_flux(Index& index);
void link_own_registries(Index& index, const IndexOptions& options);
void link_releases(Index& index);
void link_dependencies(Index& index);

// `namespace` of a reference, else that of the object that refers; empty when not known.
std::string namespace_for(const Index& index, const Reference& reference, EntityId referrer);
EntityId find_source(const Index& index, const Reference& reference, EntityId referrer);
// Among entities (any vector), the one nearest to a file; `object_of` leads from candidate to its object.
template <class ObjectOf> EntityId nearest_entity(const Index& index, const std::vector<EntityId>& candidates,
                                                  std::string_view ns, FileId near, ObjectOf object_of) {
    const auto object_at = [&](std::size_t i) -> const Object& { return index.objects[object_of(candidates[i])]; };
    const std::size_t best = nearest_object(index, candidates.size(), object_at, ns, near);
    return best < candidates.size() ? candidates[best] : no_entity;
}
// What kustomize takes for a url. Anything else is a file or a folder, there or missing.
bool is_remote(std::string_view path);
// A path with `.` and `..` resolved, never above the root: Flux joins spec.path that way.
std::string clamp_path(std::string_view path);
EntityId local_chart(const Index& index, std::string_view name, std::string_view near_path);

} // namespace lockstep

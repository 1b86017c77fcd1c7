// The whole repository as entities and edges: every file's index merged in file order, then linked. Rules and checks
// read it; nothing changes it afterwards.
#pragma once
#include "base/groups.h"
#include "base/hashed_names.h"
#include "index/file_index.h"
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

namespace lockstep {

class SidePaths;

struct IndexOptions {
    std::vector<std::string> own_registries;    // of the config: `ghcr.io/acme`, with or without `oci://`
    std::vector<std::string> pushed_registries; // besides those that workflows and scripts push charts to
    std::vector<std::string> repository_urls;   // of this Git repository, when somebody knows them
    std::optional<bool> catalyst = {};          // the pack is on or off in the config; else blueprints decide
    unsigned jobs = 1;                          // threads
};

// Where one entry of a kustomization leads.
enum class Target : std::uint8_t { file, directory, remote, templated, outside, missing };

struct ListedEdge {
    EntityId kustomization = no_entity;
    std::uint32_t entry = 0; // of Kustomization::listed
    Target target = Target::missing;
    std::string path;              // relative to the root, for file, directory and missing
    FileId file = no_file;         // file; for a directory its kustomization's file
    EntityId leads_to = no_entity; // the kustomization of a directory
};

struct ReleaseEdges { // one per HelmRelease
    EntityId source = no_entity;
    Cell source_url;
    Cell chart_name,
        version;          // effective: from the release, from Flux's HelmChart, or from an OCIRepository and its ref
    std::string registry; // registry_key of where the chart is pulled from; empty when not known
    bool own = false;     // the chart is ours, see «own registry»
    EntityId chart = no_entity;       // the local chart; only when own
    std::vector<EntityId> depends_on; // HelmReleases, one per HelmRelease::depends_on
};

enum class Ours : std::uint8_t { no, unknown, yes };

struct FluxEdges { // one per FluxKustomization
    EntityId source = no_entity;
    std::vector<EntityId> depends_on; // one per FluxKustomization::depends_on
};

struct DependencyEdge { // one per ChartDependency, in chart order
    EntityId chart = no_entity;
    std::uint32_t dependency = 0;
    bool by_file = false;               // file://
    bool own = false;                   // by file, or from an own registry
    EntityId local = no_entity;         // the chart it means; only when own
    std::uint32_t vendored = no_entity; // of Chart::vendored
    std::uint32_t lock = no_entity;     // of Chart::lock
};

using NameMap = std::unordered_map<std::string, std::vector<EntityId>>;

struct Index : FileIndex {               // the vectors of all files
    const Tree* tree = nullptr;          // must outlive the index
    std::vector<std::string> file_trees; // one per file of the tree: its cluster tree, empty for none
    std::vector<ListedEdge> listed_edges;
    std::vector<ReleaseEdges> release_edges;
    std::vector<FluxEdges> flux_edges;
    std::vector<DependencyEdge> dependency_edges;
    std::vector<Ours> source_ours;              // one per Source, as far as sources tell; fleets know more
    std::vector<std::string> own_registry_keys; // configured, pushed to, or those of a catalyst kit
    std::map<std::string, std::size_t> foreign_counts;
    std::shared_ptr<const SidePaths> side_paths; // see side_paths.h

    HashedNames objects_by_name;
    NameMap sources_by_name, releases_by_name, flux_by_name; // see name_key
    std::unordered_map<std::string, EntityId> chart_by_dir, kustomization_by_dir;
    NameMap charts_by_name;                                               // without subcharts
    Groups listers;                                                       // file to listed_edges
    std::unordered_map<EntityId, std::vector<std::uint32_t>> dir_listers; // kustomization to listed_edges
};

// Files come in their order in the tree; when all of them are there, they are linked, once.
void add_file(Index& index, FileIndex&& file);
void link_index(Index& index, const Tree& tree, const Layout& layout, const IndexOptions& options = {});

inline const std::string& tree_of(const Index& index, const Object& object) {
    return index.file_trees[object.file];
}

std::string name_key(std::string_view kind, std::string_view name);

// Declarations (no patches) of a kind and name. An empty `ns` asks for any; an object whose namespace is not known is
// a candidate for every namespace.
std::vector<EntityId> find_objects(const Index& index, std::string_view kind, std::string_view ns,
                                   std::string_view name);
// Of `count` objects in the order of their files, the one that a reference in file `near` means: the same namespace,
// file, cluster tree, then the nearest path. `count` when there is none.
using ObjectAt = std::function<const Object&(std::size_t)>;
std::size_t nearest_object(const Index& index, std::size_t count, const ObjectAt& object_at, std::string_view ns,
                           FileId near);

// Without scheme and last slash, the host in lower case: `oci://GHCR.io/acme/` is `ghcr.io/acme`.
std::string registry_key(std::string_view url);
bool is_own_registry(const Index& index, std::string_view key);

} // namespace lockstep

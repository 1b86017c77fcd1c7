// What is really applied: from every root down through kustomizations to objects with their final namespace and name,
// each with the chain that applies it. Built from the index when the first rule or command asks; never changes after.
#pragma once
#include "index/index.h"

namespace lockstep {

// One kustomization on the way from a root down; the first step of a root may be a folder without one.
struct Step {
    std::uint32_t above = no_number;    // of Closure::steps
    EntityId kustomization = no_entity; // no_entity: a folder whose manifests Flux lists by itself
    Place entry;                        // what leads here: the entry of the step above; for a root spec.path
    std::uint32_t root = no_number;
};

// One object as one root applies it. Objects that several roots apply have several of these.
struct Applied {
    EntityId object = no_entity;         // no_entity: made by a generator of the kustomization of `step`
    std::uint32_t generator = no_number; // of Kustomization::generators
    bool secret = false;                 // generated: a Secret, else a ConfigMap
    // As the API server gets them. Places are those of what decides: metadata, `namespace:`, targetNamespace. An absent
    // namespace is that of a cluster-scoped kind, or of an object that names none anywhere.
    Cell ns, name;
    std::uint32_t step = no_number, root = no_number;
    Place entry; // what lists its file, or the generator
    bool cluster_scoped = false;
    bool scope_known = true;  // false: a custom kind whose definition is not in the tree, taken as namespaced
    bool sure = true;         // false: a patch or a transformer may rename, move or remove it
    bool respecified = false; // a patch changes where a Flux Kustomization looks
};

// Why a root may apply more than is known here.
struct ClosureGap {
    enum class Why : std::uint8_t {
        remote,    // a resource from elsewhere, or a source that is another repository
        templated, // a path with a template action
        missing,   // a path that leads nowhere in this tree, or out of it
        unread,    // a file without any object that can be read
        plugin,    // generators and transformers
        helm,      // helmCharts of a kustomization
        patch,     // a patch that is not here to be read
        cycle,     // a kustomization that includes itself
    } why = Why::remote;
    Place place;
};

struct ClosureRoot {
    EntityId flux = no_entity;          // no_entity: a kustomization that nothing in this tree applies
    EntityId kustomization = no_entity; // no_entity: a folder, or nothing that is here
    std::string dir;
    bool sure = true; // false: the source may be another repository, the path is templated or changed by a patch
    std::vector<ClosureGap> gaps;
    std::uint32_t first = 0, count = 0; // of Closure::applied
    std::vector<std::uint32_t> parents; // roots that apply this one's Flux Kustomization; may be itself
    bool complete() const { return gaps.empty(); }
};

struct Removed { // by `$patch: delete`
    EntityId object = no_entity;
    std::uint32_t step = no_number, root = no_number;
    Place entry, patch;
};

struct Cycle {
    EntityId kustomization = no_entity; // the one that is met again
    Place entry;                        // what includes it again
    std::uint32_t step = no_number;     // the kustomization of that entry; the circle leads up from it
};

struct Closure {
    std::vector<Step> steps;
    std::vector<Applied> applied;   // by root, in the order kustomize meets them
    std::vector<ClosureRoot> roots; // those of Flux Kustomizations first, in their order; several for a templated path
    std::vector<Removed> removed;
    std::vector<Cycle> cycles; // each once
    bool truncated = false;    // there is more than the limit allows: nothing here can be trusted
    Place truncated_at;        // the entry that was one too many

    Groups by_object;                                                 // to applied
    std::unordered_map<EntityId, std::vector<std::uint32_t>> by_flux; // to roots; every whole Flux Kustomization
    NameMap by_name;                                                  // name_key to applied
};

// `most` bounds steps and objects. Kustomizations that include one another in many ways have more of them than files.
Closure build_closure(const Index& index, std::size_t most = 1'000'000);

std::string_view kind_of(const Index& index, const Applied& applied);
std::string_view group_of(const Index& index, const Applied& applied);

// Those of a kind and known name. An empty `ns` asks for any; an instance whose namespace is not known (absent,
// templated, not sure) is a candidate for every namespace.
std::vector<std::uint32_t> find_applied(const Closure& closure, std::string_view kind, std::string_view ns,
                                        std::string_view name);
// Steps from the root down to the one that lists the object.
std::vector<std::uint32_t> chain_of(const Closure& closure, std::uint32_t step);
// The namespaces an object gets, as written when nothing applies it. Several where roots differ.
std::vector<Cell> namespaces_of(const Index& index, const Closure& closure, EntityId object);

// For every root the topmost roots above it, sorted: two roots that share none belong to different clusters.
std::vector<std::vector<std::uint32_t>> tops_of(const Closure& closure);

std::string_view to_string(ClosureGap::Why why);

} // namespace lockstep

// One object of a build: who it is, cheaply, and how its tree is made, later, for those who ask.
#pragma once
#include "base/span.h"
#include "yaml/value.h"
#include <string_view>
#include <vector>

namespace lockstep {

struct ResourceId {
    std::string_view group, version, kind, ns, name;
    friend bool operator==(const ResourceId&, const ResourceId&) = default;
};

struct TreeStep; // one change of a tree that is made when somebody asks for it (pending.h)

// Lists that grow at their head and share their tails between overlays.
struct EarlierId {
    const EarlierId* before = nullptr;
    std::string_view ns, name, kind; // as they were before a transformer changed them; `ns` is `default` for none
};
struct Affix {
    const Affix* before = nullptr;
    std::string_view text;
};
struct Touch {
    const Touch* before = nullptr;
    Place by; // the patch: an entry of the kustomization, or the document of a patch file
};

// The chain of kustomizations that leads to a resource, from the built folder down; overlays of one base share its
// tail.
struct Via {
    const Via* below = nullptr;
    FileId kustomization = no_file; // its kustomization.yaml; no_file for a layer that Flux made
    Place entry;                    // the entry that leads on: a resource, a base, a component, a generator
    bool component = false;
};

// Cheap to copy. Everything it points to belongs to the Builder that made it.
struct Resource {
    ResourceId id;                      // as it is applied; `ns` empty when it names none
    const EarlierId* earlier = nullptr; // newest first
    const Affix *prefixes = nullptr, *suffixes = nullptr;
    const Affix* vars = nullptr;    // names of vars that read a field of it
    const Touch* patches = nullptr; // patches that touched it, newest first
    Place document;                 // the document it came from, or the generator's entry
    Place entry;                    // the entry of the innermost kustomization that lists it
    const Via* via = nullptr;       // from the built folder down to that kustomization
    const TreeStep* step = nullptr; // never null in a finished build
    bool generated = false;         // by configMapGenerator, secretGenerator or a generator plugin
    bool rendered = false;          // by Helm, for helmCharts
    bool local_config = false;
    bool hashed = false; // still waits for its hash suffix; never in a finished build
    enum class Behavior : std::uint8_t { unspecified, create, replace, merge } behavior = Behavior::unspecified;
};

ResourceId original_id(const Resource& resource);        // before any transformer
std::vector<Place> patches_of(const Resource& resource); // oldest first
// As kustomize says it: cluster-scoped kinds have no namespace, others `default` where none is named.
std::string to_string(const ResourceId& id); // `Deployment.v1.apps/web.shop`, `Namespace.v1.[noGrp]/x.[noNs]`

} // namespace lockstep

// From a file up to the clusters that get what it says: every chain of Flux Kustomizations, kustomizations, charts and
// releases, outermost first. For `lockstep why`; answers one file at a time.
#pragma once
#include "index/closure.h"

namespace lockstep {

struct WayStep {
    enum class By : std::uint8_t { bootstrap, flux, kustomization, folder, release, chart } by = By::flux;
    EntityId id = no_entity; // Flux Kustomization, kustomization, release, chart; the object that cloud-init writes
    Place place;             // what leads on: spec.path, the entry, the pin
    std::string text;        // as written there
};

struct Way {
    std::string cluster; // the cluster's folder, or that of the topmost root; empty when there is none
    std::vector<WayStep> steps;
    Cell ns, name;    // of an object, as it is applied
    bool sure = true; // false: a source may be another repository, or a patch may change it
};

struct Ways {
    std::vector<Way> ways;
    bool more = false; // there are more of them
};

// One thing in the file: an object, the kustomization it is, or how a kustomization or chart uses it.
struct Part {
    enum class As : std::uint8_t { object, kustomization, patch, generated_from, other_listing, chart } as = As::object;
    EntityId id = no_entity; // the object, kustomization or chart
    Ways ways;
    std::vector<Place> removed_by; // patches that delete the object on some way
};

struct Hint {
    std::string text;
    Place place;
};

struct FileWays {
    std::vector<Part> parts;
    std::vector<Hint> hints; // when something in the file is applied by nothing: what stands near
};

inline constexpr std::size_t most_ways = 20;

FileWays ways_of(const Index& index, const Closure& closure, FileId file);
// The folder that a cluster is called by: its tree, or where its topmost root leads.
std::string cluster_name(const Index& index, const Closure& closure, std::uint32_t top);

} // namespace lockstep

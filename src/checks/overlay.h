// What kustomize and Flux make of an object on its way to the API server: the ways up from its file, and the value that
// a field has at the end of one of them, after every patch, common annotation and common label on it.
#pragma once
#include "checks/patch_set.h"

namespace lockstep {

// A base that more overlays than this use is looked at in the first ones only; the count of ways through diamonds would
// double with each.
inline constexpr std::size_t most_routes = 64;
// Circles of components have ways without end that lead nowhere, and a chain may be as long as there are files.
inline constexpr std::size_t most_steps = 2000, longest_route = 100;

// One way from a file to where it is applied.
struct Route {
    std::vector<EntityId> kustomizations; // nearest first
    EntityId flux = no_entity;            // the Flux Kustomization at its end; none when the tree holds none for it
    bool sure = true;                     // false: the source of `flux` may be another repository
    Place entry;                          // what lists the file, or spec.path
};

struct Field {
    Cell cell;          // its place is that of the value which counts
    std::string unsure; // something on the way may change it and cannot be read: says what
    bool gone = false;  // a patch deletes the object on this way
};

using FieldPath = std::vector<std::string_view>;

class Overlay {
public:
    explicit Overlay(const Repository& repository) : repository_(repository), nodes_(repository) {}

    // Every way through kustomize and Flux; none for what only Helm or nobody applies. Chart templates that no
    // kustomization lists are Helm's, wherever Flux looks.
    std::vector<Route> routes(const Object& object) const;
    Field own(const Object& object, const FieldPath& path); // before any overlay
    Field look(const Object& object, const Route& route, const FieldPath& path);
    Nodes& nodes() { return nodes_; }

private:
    void apply_kustomization(EntityId id, const Route& route, PatchTarget& target, const FieldPath& path, Field& field);
    void apply_patches(const PatchSet& set, const PatchTarget& target, const FieldPath& path, Field& field);
    const PatchSet& patches_of(EntityId kustomization);
    const PatchSet& flux_patches(EntityId flux);
    std::vector<EntityId> components_of(EntityId kustomization);
    std::size_t looked_through_ = 0; // kustomizations, for one answer

    const Repository& repository_;
    Nodes nodes_;
    std::map<EntityId, PatchSet> kustomization_patches_, flux_patches_;
    const PatchSet no_patches_;
    std::optional<std::map<EntityId, std::vector<EntityId>>> components_;
};

// One change applied to one field: strategic merge and JSON operations.
void merge_change(const Change& change, const FieldPath& path, Field& field);
void run_operations(const Change& change, const FieldPath& path, Field& field);

} // namespace lockstep

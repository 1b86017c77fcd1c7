// Whether what a cluster gets asks for an object that a kustomization leaves out, or has it already: the evidence for
// and against a forgotten line.
#pragma once
#include "deploy/fleet.h"
#include <map>
#include <set>
#include <unordered_map>

namespace lockstep {

// Where a kustomization is built for sure.
struct ListReach {
    std::set<std::uint32_t> clusters, roots;
    std::set<std::string, std::less<>> namespaces; // of the objects it brings
    std::vector<std::uint32_t> releases;           // HelmReleases it brings: instances
    std::set<std::string, std::less<>> names;      // of the objects it brings
    std::map<std::string, std::size_t> kinds;      // of them, with their group: how many
};

// Runs once and ends: mostly by hand.
bool is_one_shot(const Object& object, const Value* tree);
// Does nothing until something names it.
bool is_passive(const Object& object, const Value* tree);
// A part of an object for a patch: a workload without what makes it one.
bool is_patch_shaped(const Object& object, const Value* tree);

class LeftOut {
public:
    LeftOut(const Index& index, const Fleet& fleet) : index_(index), fleet_(fleet) {}

    const ListReach& reach(EntityId kustomization);
    // To be called for all objects before the first question about any of them.
    void expect(const Object& object, const ListReach& reach);
    // All clusters that the kustomization is built for get it from somewhere else.
    bool is_delivered(const Object& object, const ListReach& reach) const;
    // Something that one of these clusters gets names it, and nothing there makes it; anywhere in the cluster with
    // `any_namespace`.
    bool is_asked_for(const Object& object, const ListReach& reach, bool any_namespace = false);
    // A Flux Kustomization of one of these clusters has it under dependsOn.
    bool is_waited_for(std::string_view kustomization, const ListReach& reach);
    // A root that applies the folder of a left-out Flux Kustomization already, and as that one would; in one of these
    // clusters, in any where none is given. no_number for none.
    std::uint32_t does_the_same(const FluxKustomization& flux, const std::set<std::uint32_t>& clusters) const;
    // A release beside it has the kind switched on in its values.
    bool is_made_by_release(const Object& object, const ListReach& reach) const;

private:
    struct Ask {
        std::uint32_t cluster = no_number;
        std::string ns, target_ns; // of what asks; where a HelmRelease installs
        std::string_view from;     // its kind
        std::string under;         // the last keys above the name, in lower case, and the kind beside it
    };
    struct Made {
        std::uint32_t cluster = no_number;
        std::string ns;
        std::string_view kind;
    };
    void read_instances();
    void read(const Instance& one, const Value& tree);
    void walk(const Value& value, std::vector<std::string_view>& keys, std::string_view kind_beside, const Ask& from);
    std::vector<std::string> names_of(const Object& object) const;
    static bool is_near(const ListReach& reach, const Object& object, std::string_view ns);

    const Index& index_;
    const Fleet& fleet_;
    std::map<EntityId, ListReach> reach_;
    std::set<std::string, std::less<>> wanted_;
    std::set<std::uint32_t> clusters_;
    bool read_ = false;
    std::map<std::string, std::vector<Ask>, std::less<>> asks_;
    std::map<std::string, std::vector<Made>, std::less<>> made_;
    std::set<std::pair<std::uint32_t, std::string>> used_namespaces_, created_namespaces_;
};

} // namespace lockstep

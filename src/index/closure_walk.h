// The way from one root down: a stack of kustomizations, what each adds, and what each makes of it. Internal to
// build_closure.
#pragma once
#include "index/closure.h"
#include "index/closure_patches.h"
#include "index/scopes.h"
#include <set>

namespace lockstep {

class ClosureWalk {
public:
    ClosureWalk(const Index& index, std::size_t most, Closure& made);

    // Appends the root and all it applies.
    void walk(ClosureRoot root, Place entry);
    bool visited(EntityId kustomization) const { return visited_[kustomization]; }

private:
    struct Item { // something that a kustomization, or a folder, adds
        EntityId kustomization = no_entity;
        FileId file = no_file;
        Place entry;
        bool component = false;
    };
    struct Frame {
        EntityId kustomization = no_entity; // no_entity: the root is a folder
        std::uint32_t step = no_number;
        std::size_t first = 0; // of Closure::applied: what this kustomization's directives reach
        bool component = false;
        bool root = false;
        std::vector<Item> items = {};
        std::size_t next = 0;
    };

    void enter(const Item& item, std::uint32_t above, std::size_t first, bool root);
    void leave(const Frame& frame);
    std::vector<Item> listed_items(EntityId kustomization);
    std::vector<Item> folder_items(const std::string& dir, Place entry);
    std::vector<Item> flux_components(const std::string& dir);
    void add_file(const Item& item, std::uint32_t step);
    void add_generators(const Frame& frame);
    void apply_effects(const Frame& frame, const Effects& effects);
    void rename(const Frame& frame);
    const Effects& kustomization_effects(EntityId id);
    void gap(ClosureGap::Why why, Place place);
    bool room(Place entry);
    void spend(std::size_t work, Place entry);
    void truncate(Place entry);

    const Index& index_;
    const std::size_t most_;
    Closure& made_;
    Scopes scopes_;
    std::vector<std::uint32_t> first_edge_;   // per kustomization, of Index::listed_edges
    std::vector<std::uint32_t> first_object_; // per file and one more, of Index::objects
    std::vector<bool> visited_, on_path_;
    std::unordered_map<EntityId, Effects> effects_;
    PatchFiles patch_files_;
    std::vector<Frame> stack_;
    bool source_ignore_ = false; // some .sourceignore may leave out files of a folder
    std::size_t work_ = 0;       // entries looked at, objects looked through
    std::set<Place> cycles_;     // entries of Closure::cycles
};

} // namespace lockstep

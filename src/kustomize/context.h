// What the parts of one build share: memory, options, trees on demand. Internal to src/kustomize.
#pragma once
#include "kustomize/field_specs.h"
#include "kustomize/pending.h"
#include <optional>

namespace lockstep {

using Failure = std::optional<BuildError>; // nothing: it went well

inline Failure failure(std::string message, Place place) {
    return BuildError{std::move(message), place};
}
inline Failure not_found(std::string message, Place place) { // an object that the build does not have
    BuildError error{std::move(message), place};
    error.kind = BuildError::Kind::sought;
    return error;
}
inline Failure wrapped(Failure inner, std::string_view prefix) {
    if (inner) inner->message.insert(0, prefix);
    return inner;
}

struct BuildContext {
    const Loader& loader;
    TreeMaker& trees;
    Workspace& work;
    const BuildOptions& options;
    const BuildLimits& limits;

    Arena& arena() const { return work.arena; }
    // Notes a change of the resource's tree; `with_self` when the change needs to know who the resource is now.
    void add_change(Resource& resource, const TreeOperation* change, bool with_self = false) const {
        ++work.changes;
        const Resource* self = with_self ? work.arena.make<Resource>(resource) : nullptr;
        resource.step = work.arena.make<TreeStep>(resource.step, change, self);
    }
    // The tree now, to be changed and handed back to set_tree.
    Value* take_tree(const Resource& resource, BuildError& error) const {
        Value* tree = trees.make(*resource.step, work.arena, error, options.keep_going);
        if (tree && !error.message.empty()) work.failed_trees.push_back(error);
        return tree;
    }
    void set_tree(Resource& resource, const Value* tree) const {
        auto* step = work.arena.make<TreeStep>();
        step->made.store(tree, std::memory_order_release);
        resource.step = step;
    }
    // The tree now, only to be read; later steps start from it.
    const Value* look(const Resource& resource, BuildError& error) const {
        if (const Value* made = resource.step->made.load(std::memory_order_acquire)) return made;
        const Value* tree = take_tree(resource, error);
        if (tree && error.message.empty()) resource.step->made.store(tree, std::memory_order_release);
        return tree;
    }
    // A few lines can ask for more changes, or longer texts, than any machine has room for.
    Failure over_limit(Place at) const {
        Failure failed;
        if (work.changes > limits.changes)
            failed = failure("more than " + std::to_string(limits.changes) + " changes of objects in one build", at);
        else if (!options.apart && work.arena.bytes() > limits.memory)
            failed = failure("more than " + std::to_string(limits.memory >> 20U) + " MB of changed objects", at);
        if (failed) failed->kind = BuildError::Kind::limit;
        return failed;
    }
    void store_previous_id(Resource& resource) const;
    void touch(Resource& resource, Place by) const { resource.patches = work.arena.make<Touch>(resource.patches, by); }
};

// A change that applies `edit` and turns its error text into a failure at `by`.
TreeOperation tree_change(Place by, std::function<std::string(Value& tree, Arena& arena)> edit);

} // namespace lockstep

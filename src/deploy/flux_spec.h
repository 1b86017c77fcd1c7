// What one Flux Kustomization asks for, read from its tree as its cluster has it: after patches and substitution.
#pragma once
#include "index/entities.h"
#include "yaml/value.h"

namespace lockstep {

struct FluxSpec {
    Cell path, target_namespace, name_prefix, name_suffix, prune, force, suspend;
    Reference source;
    const Value* patches = nullptr; // lists and mappings as written; nullptr when absent
    const Value* older = nullptr;   // a spec of v1beta1 or v1beta2, which has two more lists of patches
    const Value* images = nullptr;
    const Value* substitute = nullptr;
    const Value* substitute_from = nullptr;
    const Value* common_labels = nullptr;
    const Value* common_annotations = nullptr;
    std::vector<Cell> components;
    bool ignore_missing_components = false;
    Place place;             // the mapping under `spec`
    bool post_build = false; // Flux substitutes
    std::string cluster;     // spec.kubeConfig: the Secret or ConfigMap that leads to another cluster; empty: this one

    bool holds_trees() const {
        return patches || older || images || substitute || substitute_from || common_labels || common_annotations;
    }
    bool is_whole() const; // a fragment without a source applies nothing
};

FluxSpec read_flux_spec(const Value* root);

// Where the value is decided: its own bytes, or the patch, transformer or variable that changed it.
Place decided_at(const Value& value);
// A scalar of a tree. Null and anything that is no scalar is absent; a text that is not known offline is templated.
Cell cell_of(const Value* value);
// The value under a chain of keys; nullptr when there is none.
const Value* value_at(const Value* root, std::initializer_list<std::string_view> keys);
// The cell under a chain of keys. The place of an absent one is the deepest key that exists on the way.
Cell cell_at(const Value* root, std::initializer_list<std::string_view> keys);

} // namespace lockstep

// Strategic merge patches, as kyaml merges: lists by their keys, `$patch` directives, nulls that delete.
#pragma once
#include "kustomize/schema.h"
#include "yaml/value.h"
#include <string>

namespace lockstep {

struct Merged {
    Value* tree = nullptr; // nullptr: the patch deletes the whole object
    std::string error;     // empty for none
};
// Both trees belong to the caller and are used up; what the patch sets carries `changed_by`.
Merged merge_patch(Value* tree, Value* patch, const SchemaSet& types, Arena& arena);

} // namespace lockstep

// Follows a field spec's path through a tree, through lists without naming them, and makes what is missing where it
// may.
#pragma once
#include "kustomize/field_specs.h"
#include <functional>
#include <string>

namespace lockstep {

// Called for each node that the path leads to. An error, or empty.
using FieldSetter = std::function<std::string(Value& node)>;

struct FieldCreation {
    bool any = false; // whether rows with `create` make what is missing
    NodeKind kind = NodeKind::mapping;
    std::string_view tag;
};

// An error in kustomize's words, or empty. `row.of` is compared with the object's own apiVersion and kind.
std::string walk_field(Value& object, const FieldRow& row, const FieldCreation& creation, Arena& arena,
                       const FieldSetter& set_value);
std::string walk_fields(Value& object, const FieldRows& rows, const FieldCreation& creation, Arena& arena,
                        const FieldSetter& set_value);

std::vector<std::string> split_path(std::string_view path, char delimiter); // `\` before the delimiter keeps it

} // namespace lockstep

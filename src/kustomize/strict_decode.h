// What Go's strict JSON decoder makes of a tree: names in any letter case, values of the declared types, nothing else.
#pragma once
#include "yaml/value.h"
#include <string>

namespace lockstep {

struct DecodeProblem {
    std::string message; // as the decoder says it; empty: there is none
    const Value* at = nullptr;
    bool unknown_field = false; // and nothing else is wrong: a decoder that is not strict drops such fields
};

// Reads `tree` as a type of rules/data/kustomize-types.yaml, and leaves in it what the decoder keeps: names as they are
// declared, of one name the last, no nulls, whole numbers as Go writes them. The first problem is told.
DecodeProblem decode_strictly(Value& tree, std::string_view type, Arena& arena);

} // namespace lockstep

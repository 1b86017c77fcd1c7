// JSON patches (RFC 6902) on trees, with the habits of the library that kustomize uses.
#pragma once
#include "yaml/value.h"
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

struct JsonOperation {
    std::string_view op;
    std::optional<std::string_view> path, from; // none: not there, or no text
    const Value* value = nullptr;
    Place place;
};

// `operations` is a list of mappings and nulls. An error, or empty.
std::string read_json_patch(const Value& operations, std::vector<JsonOperation>& out);

struct PatchProblem {
    std::string message; // empty: there is none
    Place place;         // of the operation
};
// Changes the tree; texts and numbers become what JSON makes of them. The first problem is told; what comes after it is
// done, for those who go on.
PatchProblem apply_json_patch(Value& tree, const std::vector<JsonOperation>& operations, Arena& arena);
// Whether the patch may change who the object is, or its annotations: then it cannot wait.
bool changes_identity(const std::vector<JsonOperation>& operations);

// A tree as it is after a way through JSON: plain numbers and booleans, quoted texts. An error for what JSON cannot
// say.
std::string make_json(Value& tree, Arena& arena);
// Plain scalars as go-yaml 2 reads them: `yes`, `on` and `n` are booleans. For kustomization files and JSON patches.
void read_as_v2(Value& tree);
// The same for a text read by go-yaml 2, where `yes` and `on` are booleans.
void make_json_v2(Value& tree, Arena& arena);

} // namespace lockstep

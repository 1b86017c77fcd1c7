// Paths of replacements and vars: `spec.ports[0].name`, `containers.[name=web].image`, `list.*`.
#pragma once
#include "yaml/value.h"
#include <string>
#include <vector>

namespace lockstep {

std::vector<std::string> split_field_path(std::string_view path); // at dots; brackets keep theirs
// One node or nullptr; an error for a path that cannot be followed at all.
Value* look_up(Value& root, const std::vector<std::string>& path, std::string& error);
// All nodes that the path leads to. With `create`, what is missing is made, its last part of this kind.
struct PathCreation {
    bool any = false;
    NodeKind kind = NodeKind::scalar;
};
std::vector<Value*> match_path(Value& root, const std::vector<std::string>& path, PathCreation creation, Arena& arena,
                               std::string& error);

} // namespace lockstep

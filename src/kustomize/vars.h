// Vars: `$(NAME)` in fields that take it, filled from fields of other objects at the end of a build.
#pragma once
#include "kustomize/folder_build.h"

namespace lockstep {

VarEntry read_var(const Value& entry, Arena& arena);
Failure add_var(std::vector<VarEntry>& vars, const VarEntry& var); // a name may come only once
// Finds the object that the var reads and marks it.
Failure bind_var(const BuildContext& context, Resources& resources, const VarEntry& var);
Failure resolve_vars(const BuildContext& context, Accumulated& all);

} // namespace lockstep

// Replacements: a value of one object copied into fields of others.
#pragma once
#include "kustomize/patches.h"

namespace lockstep {

// `entries` as of `replacements`: inline ones, or `path` to a file with one or a list.
Failure apply_replacements(const BuildContext& context, const PatchFiles& files, Resources& resources,
                           const std::vector<const Value*>& entries);

} // namespace lockstep

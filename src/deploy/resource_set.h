// Images of a ResourceSet of the Flux Operator: in its resources and in its template, with its own inputs filled in.
#pragma once
#include "deploy/images.h"

namespace lockstep {

bool is_resource_set(const Value& tree);
// One row for each of its inputs; templated where they do not say all of it.
std::vector<ImageUse> images_of_resource_set(const Value& tree);

} // namespace lockstep

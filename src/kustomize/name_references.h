// Names that changed are followed to where they are used: ConfigMaps in pods, roles in bindings.
#pragma once
#include "kustomize/transformers.h"

namespace lockstep {

// Notes for every resource that may refer to others what to look up when its tree is made.
void fix_references(const BuildContext& context, Resources& resources, ConfigPointer config);

} // namespace lockstep

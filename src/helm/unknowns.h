// Values that only a cluster, a clock or chance can tell. They stand in for something, and are marked.
#pragma once
#include "helm/functions.h"

namespace lockstep {

// Of this call and its arguments, marked as unknown.
const ValueOrigin* unknown_origin(FunctionCall& call);

} // namespace lockstep

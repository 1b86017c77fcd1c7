// Which chart a blueprint offers.
#pragma once
#include "index/index.h"
#include <map>

namespace lockstep {

// By chart. Blueprints whose chart is not here or templated are left out.
std::map<EntityId, const Blueprint*> charts_of_blueprints(const Index& index);

} // namespace lockstep

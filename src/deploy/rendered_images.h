// Images of containers whose scripts the index knows from a chart's template, as Helm renders them.
#pragma once
#include "deploy/fleet.h"

namespace lockstep {

// Each different one of the container that runs the script; none where nothing renders it.
std::vector<Cell> rendered_images(const Fleet& fleet, const Script& script);

} // namespace lockstep

// The relation object-to-applier: one row per object and thing that applies it directly.
#pragma once
#include "base/table.h"
#include "deploy/fleet.h"

namespace lockstep {

std::vector<Row> applier_rows(const Index& index, const Fleet& fleet);

} // namespace lockstep

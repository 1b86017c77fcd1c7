// The index for people and for programs: what was found, and where.
#pragma once
#include "deploy/fleet.h"
#include "tree/locate.h"
#include <string>

namespace lockstep {

// With the fleet, each object says whether a cluster gets it.
std::string index_text(const Index& index, Locator& locator, const Fleet* fleet = nullptr);
std::string index_json(const Index& index, Locator& locator, const Fleet* fleet = nullptr); // ends with a line break

std::string_view to_string(Role role);
std::string_view to_string(Target target);

} // namespace lockstep

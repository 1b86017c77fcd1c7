// The index for people and for programs: what was found, and where.
#pragma once
#include "index/index.h"
#include "tree/locate.h"
#include <string>

namespace lockstep {

std::string index_text(const Index& index, Locator& locator);
std::string index_json(const Index& index, Locator& locator); // ends with a line break

std::string_view to_string(Role role);
std::string_view to_string(Target target);

} // namespace lockstep

// One cause, one finding: the same stale pin in many files becomes one finding with its places.
#pragma once
#include "base/finding.h"

namespace lockstep {

std::vector<Finding> fold(std::vector<Finding> findings); // sorted by place, rule and message

} // namespace lockstep

// One cause, one finding: findings of one rule and severity with the same `cause` become one with all their places. The
// first one is shown; where others say it in other words, those are at their places.
#pragma once
#include "base/finding.h"

namespace lockstep {

std::vector<Finding> fold(std::vector<Finding> findings); // sorted by place, rule and message

} // namespace lockstep

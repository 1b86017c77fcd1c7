// One cause, one finding: findings of one rule and severity with the same `cause` become one with all their places. The
// first one speaks; where others say it in other words, those stand at their places.
#pragma once
#include "base/finding.h"

namespace lockstep {

std::vector<Finding> fold(std::vector<Finding> findings); // sorted by place, rule and message

} // namespace lockstep

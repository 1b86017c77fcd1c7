// Any value as a number: the conversions that sprig's arithmetic makes before it counts.
#pragma once
#include "helm/go_value.h"

namespace lockstep {

std::int64_t cast_int(const GoValue& value); // 0 for what is no number
double cast_float(const GoValue& value);

} // namespace lockstep

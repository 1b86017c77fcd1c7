// The native checks: what a join cannot say. One file each, named after its rule and found by ci/gather_checks.py.
#pragma once
#include "rules/check.h"

namespace lockstep {

std::span<const NativeCheck> native_checks();

} // namespace lockstep

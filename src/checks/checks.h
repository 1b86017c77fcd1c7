// The native checks: what a join cannot say. One file each; table.def names them all.
#pragma once
#include "rules/check.h"

namespace lockstep {

std::span<const NativeCheck> native_checks();

#define CHECK(name, function, takes) void function(const CheckInput& input, RuleOutcome& outcome);
#include "checks/table.def"
#undef CHECK

} // namespace lockstep

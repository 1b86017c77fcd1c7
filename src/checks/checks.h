// The table of native checks: what a join cannot say. One file each; adding one is a line here and a line in
// checks.cpp.
#pragma once
#include "rules/check.h"

namespace lockstep {

std::span<const NativeCheck> native_checks();

void check_yaml_syntax(const CheckInput& input, RuleOutcome& outcome);
void check_duplicate_key(const CheckInput& input, RuleOutcome& outcome);
void check_file_unread(const CheckInput& input, RuleOutcome& outcome);
void check_patch_directive(const CheckInput& input, RuleOutcome& outcome);
void check_rbac_verb_missing(const CheckInput& input, RuleOutcome& outcome);

} // namespace lockstep

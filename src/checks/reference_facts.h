// The resolver of references, for native checks that take its tables as facts.
#pragma once
#include "deploy/reference_input.h"
#include "rules/check.h"

namespace lockstep {

// The files of the fact `scripts`, and the scripts inside manifests; those of tests left out.
std::vector<ScriptText> scripts_of(const CheckInput& input);
// With the tables `references` and `makers` and the files of `scripts`, as far as the rule has them as facts.
References references_of(const CheckInput& input);

} // namespace lockstep

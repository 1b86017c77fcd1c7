// Colons at the end of a value in brackets, `[1.2.3.4, fd00::]`: part of the value for go-yaml, an error for libyaml.
#pragma once
#include <cstdint>
#include <string>

namespace lockstep {

// Overwrites such a colon at `at`, and those behind it, up to the end of the outermost bracket. `depth` brackets are
// open at `at`, which is in a plain scalar.
void hide_flow_colons(std::string& text, std::uint32_t at, int depth);

} // namespace lockstep

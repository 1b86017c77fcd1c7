// Whether a text is JSON. YAML is more than that, and what begins with `[` kustomize reads as JSON alone.
#pragma once
#include <string_view>

namespace lockstep {

bool is_json(std::string_view text);

} // namespace lockstep

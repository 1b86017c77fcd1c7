// Names that are not fully known: `*` for each template action, and whether a name may be what such a one becomes.
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

// `web-${ZONE}` and `web-{{ .zone }}` as `web-*`; a ResourceSet writes `<< inputs.zone >>`.
std::string pattern_of_name(std::string_view name);
// `*` is any text, the empty one included; everything else is literal.
bool fits(std::string_view pattern, std::string_view text);
// Somebody replaces it before it is applied: `<name>`, `YOUR-SECRET`, `${NAME}`.
bool is_placeholder(std::string_view text);

} // namespace lockstep

// Template masking at equal length: a file with `{{ }}` actions becomes YAML with every byte still at its offset.
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

bool has_template_action(std::string_view text); // a `{{` anywhere
std::string mask_go_template(std::string_view text);
std::string mask_terraform(std::string_view text); // `%{ }` directives; `${ }` interpolations become filler

} // namespace lockstep

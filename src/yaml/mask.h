// Template masking at equal length: a file with `{{ }}` actions becomes YAML with every byte still at its offset. Bytes
// outside of actions never change; in the place of an action are blanks, `x`, or, where YAML needs it, a line break,
// `#` or `---` (mask.cpp says when). So lines of the mask are not lines of the file: count offsets, not lines.
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

bool has_template_action(std::string_view text); // a `{{` anywhere
std::string mask_go_template(std::string_view text);
std::string mask_terraform(std::string_view text); // `%{ }` directives; `${ }` interpolations become filler

} // namespace lockstep

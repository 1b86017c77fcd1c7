// Strings of a JSON report that is written straight into its text.
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

// Quoted and in ASCII: the same meaning to a program, harmless in a terminal. Bytes that are no UTF-8 are replaced.
void append_json_string(std::string& out, std::string_view text);

} // namespace lockstep

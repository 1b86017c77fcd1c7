// Base64 as YAML's `!!binary` and the data of Secrets carry it: bytes in texts.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

// Blanks and line breaks do not count; nothing when there is a character that base64 does not have.
std::optional<std::string> from_base64(std::string_view text);

} // namespace lockstep

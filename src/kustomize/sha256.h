// SHA-256, for the hash suffix of generated names.
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

std::string sha256_hex(std::string_view text);

} // namespace lockstep

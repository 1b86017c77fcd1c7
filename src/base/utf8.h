// Bytes of UTF-8, for what counts or matches characters.
#pragma once
#include <cstddef>
#include <string_view>

namespace lockstep {

inline bool is_continuation(char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

// Reads the code point at `at` and moves behind it; a byte that is no UTF-8 is a character of its own, equal to none.
char32_t take_code_point(std::string_view text, std::size_t& at);

} // namespace lockstep

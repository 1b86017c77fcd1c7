// Reads base64.
#include "base/base64.h"
#include <cstdint>

namespace lockstep {

std::optional<std::string> from_base64(std::string_view text) {
    std::string made;
    std::uint32_t bits = 0;
    int count = 0;
    for (char c : text) {
        int value = -1;
        if (c >= 'A' && c <= 'Z') value = c - 'A';
        if (c >= 'a' && c <= 'z') value = c - 'a' + 26;
        if (c >= '0' && c <= '9') value = c - '0' + 52;
        if (c == '+') value = 62;
        if (c == '/') value = 63;
        if (c == '=' || c == '\n' || c == '\r' || c == '\t' || c == ' ') continue;
        if (value < 0) return std::nullopt;
        bits = (bits << 6) | static_cast<std::uint32_t>(value);
        count += 6;
        if (count >= 8) {
            count -= 8;
            made += static_cast<char>((bits >> count) & 0xff);
        }
    }
    return made;
}

} // namespace lockstep

// Checksums and encodings that templates use. Nothing here guards a secret.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

std::string sha1_bytes(std::string_view text);
std::string sha256_bytes(std::string_view text);
std::string sha512_bytes(std::string_view text);
std::uint32_t adler32_sum(std::string_view text);
std::string hex_text(std::string_view bytes);
std::string base64_text(std::string_view bytes);
std::string base32_text(std::string_view bytes);
// The bytes, or where the input is corrupt (Go's offset).
struct Decoded {
    std::string bytes;
    std::optional<std::size_t> corrupt_at;
};
Decoded decode_base64(std::string_view text);
Decoded decode_base32(std::string_view text);

} // namespace lockstep

// Hashes lines as GitHub does, so that the upload finds the very fingerprints it would have made.
#include "report/line_hash.h"
#include <algorithm>
#include <array>
#include <charconv>

namespace lockstep {
namespace {

constexpr std::size_t block = 100;
constexpr std::uint64_t base = 37;
constexpr char16_t end_of_text = 0xffff;
constexpr char16_t replacement = 0xfffd;

// How many bytes the character at `at` has when it is well-formed; 0 when it is not, and then `broken` says how many
// bytes one replacement character stands for, as the WHATWG decoder has it.
std::size_t character_size(std::string_view text, std::size_t at, std::size_t& broken) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(at);
    std::size_t size = 0;
    unsigned low = 0x80, high = 0xbf; // what the second byte may be
    broken = 1;
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first <= 0xdf) size = 2;
    if (first >= 0xe0 && first <= 0xef) size = 3;
    if (first >= 0xf0 && first <= 0xf4) size = 4;
    if (first == 0xe0) low = 0xa0;
    if (first == 0xed) high = 0x9f;
    if (first == 0xf0) low = 0x90;
    if (first == 0xf4) high = 0x8f;
    for (std::size_t i = 1; i < size; ++i, ++broken) {
        if (at + i >= text.size() || byte(at + i) < low || byte(at + i) > high) return 0;
        low = 0x80;
        high = 0xbf;
    }
    return size;
}

void append_utf16(std::u16string& units, std::string_view character) {
    constexpr std::array<unsigned, 5> first_bits = {0, 0x7f, 0x1f, 0x0f, 0x07};
    char32_t code = static_cast<unsigned char>(character[0]) & first_bits[character.size()];
    for (std::size_t i = 1; i < character.size(); ++i)
        code = code << 6U | (static_cast<unsigned char>(character[i]) & 0x3fU);
    if (code < 0x10000) {
        units += static_cast<char16_t>(code);
    } else {
        units += static_cast<char16_t>(0xd800 + ((code - 0x10000) >> 10U));
        units += static_cast<char16_t>(0xdc00 + ((code - 0x10000) & 0x3ffU));
    }
}

// What is hashed, and where in it lines start.
struct Units {
    std::u16string all;
    std::vector<std::size_t> starts = {0};
};

Units read_units(std::string_view text) {
    Units units;
    units.all.reserve(text.size() + 1);
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == ' ' || c == '\t') {
            ++at;
        } else if (c == '\n' || c == '\r') {
            units.all += u'\n';
            units.starts.push_back(units.all.size());
            at += text.substr(at).starts_with("\r\n") ? 2 : 1;
        } else {
            std::size_t broken = 1;
            const std::size_t size = character_size(text, at, broken);
            if (size == 0)
                units.all += replacement;
            else
                append_utf16(units.all, text.substr(at, size));
            at += size == 0 ? broken : size;
        }
    }
    units.all += end_of_text;
    return units;
}

std::uint64_t hash_from(const std::u16string& units, std::size_t start) {
    std::uint64_t hash = 0;
    for (std::size_t i = start; i < start + block; ++i)
        hash = hash * base + (i < units.size() ? units[i] : 0U);
    return hash;
}

} // namespace

std::unordered_map<std::uint32_t, std::string> github_line_hashes(std::string_view text,
                                                                  const std::vector<std::uint32_t>& lines) {
    std::unordered_map<std::uint32_t, std::string> found;
    for (const std::uint32_t line : lines)
        found.emplace(line, std::string());
    const Units units = read_units(text);
    std::unordered_map<std::uint64_t, std::uint32_t> seen;
    for (std::size_t i = 0; i < units.starts.size(); ++i) {
        const std::uint64_t hash = hash_from(units.all, units.starts[i]);
        const std::uint32_t count = ++seen[hash];
        const auto wanted = found.find(static_cast<std::uint32_t>(i + 1));
        if (wanted == found.end()) continue;
        std::array<char, 16> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), hash, 16).ptr;
        wanted->second = std::string(digits.data(), end) + ":" + std::to_string(count);
    }
    return found;
}

} // namespace lockstep

// Characters and words of ASCII text: what every reader asks of a byte.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep {

inline constexpr std::size_t npos = std::string_view::npos;

constexpr bool is_blank(char c) {
    return c == ' ' || c == '\t';
}
// Also the carriage return before a line break.
constexpr bool is_blank_or_return(char c) {
    return is_blank(c) || c == '\r';
}
constexpr bool is_break(char c) {
    return c == '\n' || c == '\r';
}
constexpr bool is_blank_or_break(char c) {
    return is_blank(c) || is_break(c);
}
constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_word(char c) {
    return is_letter(c) || is_digit(c) || c == '_';
}

constexpr int hex_value(char c) { // -1: no digit
    return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Without the blanks, and the carriage return, around it.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r") {
    const std::size_t begin = text.find_first_not_of(blanks);
    return begin == npos ? std::string_view() : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

template <typename Words> std::string joined(const Words& words, std::string_view between) {
    std::string out;
    for (const auto& word : words) {
        if (!out.empty()) out += between;
        out += word;
    }
    return out;
}

} // namespace lockstep

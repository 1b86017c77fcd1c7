// Unicode as Go's strings, unicode and strconv packages see it: decoding, classes, case.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep {

inline constexpr char32_t bad_rune = 0xfffd;

struct Rune {
    char32_t value = bad_rune;
    std::uint32_t size = 1; // bytes; a broken sequence is one byte and bad_rune
};
Rune decode_rune(std::string_view text, std::size_t at);
void append_rune(std::string& text, char32_t rune);
std::size_t count_runes(std::string_view text);
bool is_utf8(std::string_view text);

bool is_letter_rune(char32_t rune);
bool is_digit_rune(char32_t rune);
bool is_space_rune(char32_t rune); // unicode.IsSpace
bool is_printable(char32_t rune);
char32_t to_upper(char32_t rune);
char32_t to_lower(char32_t rune);
std::string upper_text(std::string_view text);
std::string lower_text(std::string_view text);
std::string_view trim_space(std::string_view text); // strings.TrimSpace

// strconv.Quote: Go's double-quoted form.
void append_quoted(std::string& out, std::string_view text);
std::string quoted(std::string_view text);
void append_rune_quoted(std::string& out, char32_t rune); // strconv.QuoteRune
// strconv.Unquote for "…" and `…`; false when it is no Go string.
bool unquote(std::string_view literal, std::string& out);
// strconv.UnquoteChar on what is behind the opening quote; false for bad syntax.
bool unquote_char(std::string_view text, std::size_t& at, char quote, char32_t& rune, bool& is_byte);

} // namespace lockstep

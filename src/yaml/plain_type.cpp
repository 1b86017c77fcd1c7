// The resolution of plain scalars.
#include "yaml/plain_type.h"
#include "base/text.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

namespace lockstep {
namespace {

// As go-yaml resolves plain scalars; `y` and `n` alone differ between its versions and are left alone.
bool reads_as_bool(std::string_view text) {
    for (std::string_view word : {"true", "True", "TRUE", "false", "False", "FALSE", "yes", "Yes", "YES", "no", "No",
                                  "NO", "on", "On", "ON", "off", "Off", "OFF"})
        if (text == word) return true;
    return false;
}

bool all_of(std::string_view text, std::string_view digits) {
    return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

bool reads_as_number(std::string_view text) {
    if (text == ".inf" || text == ".Inf" || text == ".INF" || text == ".nan" || text == ".NaN" || text == ".NAN")
        return true;
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    std::string plain(text); // 1_000 is a number
    if (plain.empty() || plain.front() == '_') return false;
    std::erase(plain, '_');
    text = plain;
    if (text.starts_with("0x")) return all_of(text.substr(2), "0123456789abcdefABCDEF");
    if (text.starts_with("0o")) return all_of(text.substr(2), "01234567");
    if (text.starts_with("0b")) return all_of(text.substr(2), "01");
    std::size_t i = 0, digits = 0;
    for (; i < text.size() && is_digit(text[i]); ++i)
        ++digits;
    if (i < text.size() && text[i] == '.')
        for (++i; i < text.size() && is_digit(text[i]); ++i)
            ++digits;
    if (digits == 0) return false;
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        ++i;
        if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
        // An exponent beyond a double stays text: a short commit id such as 12e4567.
        return all_of(text.substr(i), "0123456789") && std::isfinite(std::strtod(plain.c_str(), nullptr));
    }
    return i == text.size();
}

} // namespace

PlainType plain_type(std::string_view text) {
    if (text.empty()) return PlainType::text;
    // Almost every value is settled by its first character.
    const char first = text.front();
    if (is_digit(first) || first == '-' || first == '+' || first == '.')
        return reads_as_number(text) ? PlainType::number : PlainType::text;
    if (std::string_view("tTfFyYnNoO").find(first) == std::string_view::npos || text.size() > 5) return PlainType::text;
    return reads_as_bool(text) ? PlainType::boolean : PlainType::text;
}

bool reads_as_false_v2(std::string_view text) {
    for (std::string_view word : {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})
        if (text == word) return true;
    return false;
}

} // namespace lockstep

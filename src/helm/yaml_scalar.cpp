// Resolution of plain scalars as go-yaml v2 does it.
#include "helm/yaml_scalar.h"
#include "helm/go_number.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep {
namespace {

bool one_of(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_digit_char(char c) {
    return c >= '0' && c <= '9';
}

std::size_t digits_at(std::string_view text, std::size_t at) {
    std::size_t count = 0;
    while (at + count < text.size() && is_digit_char(text[at + count]))
        ++count;
    return count;
}

// [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
bool looks_like_float(std::string_view text) {
    std::size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    const std::size_t whole = digits_at(text, at);
    at += whole;
    if (at < text.size() && text[at] == '.') {
        const std::size_t fraction = digits_at(text, ++at);
        at += fraction;
        if (whole + fraction == 0) return false;
    } else if (whole == 0) {
        return false;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        ++at;
        if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
        const std::size_t exponent = digits_at(text, at);
        if (exponent == 0) return false;
        at += exponent;
    }
    return at == text.size();
}

bool take_number(std::string_view text, std::size_t& at, std::size_t least, std::size_t most, int low, int high) {
    const std::size_t count = std::min(digits_at(text, at), most);
    if (count < least) return false;
    const int value = std::atoi(std::string(text.substr(at, count)).c_str());
    at += count;
    return value >= low && value <= high;
}

// 2001-12-14, 2001-12-14t21:59:43.10-05:00, 2001-12-14 21:59:43.10
bool is_timestamp(std::string_view text) {
    if (digits_at(text, 0) != 4 || text.size() < 8 || text[4] != '-') return false;
    std::size_t at = 5;
    if (!take_number(text, at, 1, 2, 1, 12) || at >= text.size() || text[at++] != '-') return false;
    if (!take_number(text, at, 1, 2, 1, 31)) return false;
    if (at == text.size()) return true;
    const char separator = text[at++];
    if (separator != 'T' && separator != 't' && separator != ' ') return false;
    if (!take_number(text, at, 1, 2, 0, 23) || at >= text.size() || text[at++] != ':') return false;
    if (!take_number(text, at, 1, 2, 0, 59) || at >= text.size() || text[at++] != ':') return false;
    if (!take_number(text, at, 1, 2, 0, 59)) return false;
    if (at < text.size() && text[at] == '.') {
        const std::size_t fraction = digits_at(text, at + 1);
        if (fraction == 0) return false;
        at += 1 + fraction;
    }
    if (separator == ' ') return at == text.size();
    if (at < text.size() && text[at] == 'Z') return at + 1 == text.size();
    if (at >= text.size() || (text[at] != '+' && text[at] != '-')) return false;
    ++at;
    return digits_at(text, at) == 2 && at + 5 == text.size() && text[at + 2] == ':' && digits_at(text, at + 3) == 2;
}

PlainScalar numeric(std::string_view text) {
    PlainScalar scalar;
    std::string plain(text);
    std::erase(plain, '_');
    if (const auto integer = parse_int(plain, 0); integer && !integer->out_of_range) {
        scalar.meaning = ScalarMeaning::integer;
        scalar.integer = integer->value;
        return scalar;
    }
    if (const auto natural = parse_uint(plain, 0); natural && !natural->out_of_range) {
        scalar.meaning = ScalarMeaning::natural;
        scalar.natural = natural->value;
        return scalar;
    }
    if (looks_like_float(plain)) {
        if (const auto number = parse_float(plain); number && std::isfinite(*number)) {
            scalar.meaning = ScalarMeaning::number;
            scalar.number = *number;
        }
    }
    return scalar;
}

} // namespace

PlainScalar resolve_plain(std::string_view text) {
    PlainScalar scalar;
    const char first = text.empty() ? '~' : text[0];
    const bool number = is_digit_char(first) || first == '-' || first == '+';
    if (!number && first != '.' && std::string_view("yYnNtTfFoO~<").find(first) == std::string_view::npos)
        return scalar;
    if (text.size() <= 5) {
        if (one_of(text, {"", "~", "null", "Null", "NULL"})) {
            scalar.meaning = ScalarMeaning::null;
            return scalar;
        }
        if (one_of(text, {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})) {
            scalar.meaning = ScalarMeaning::boolean;
            scalar.boolean = true;
            return scalar;
        }
        if (one_of(text, {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})) {
            scalar.meaning = ScalarMeaning::boolean;
            return scalar;
        }
        if (text == "<<") {
            scalar.meaning = ScalarMeaning::merge;
            return scalar;
        }
        const bool minus = first == '-';
        const std::string_view word = number ? text.substr(1) : text;
        if (one_of(word, {".inf", ".Inf", ".INF"})) {
            scalar.meaning = ScalarMeaning::number;
            scalar.number = minus ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
            return scalar;
        }
        if (one_of(text, {".nan", ".NaN", ".NAN"})) {
            scalar.meaning = ScalarMeaning::number;
            scalar.number = std::numeric_limits<double>::quiet_NaN();
            return scalar;
        }
    }
    if (first == '.') {
        if (const auto value = parse_float(text); value && std::isfinite(*value)) {
            scalar.meaning = ScalarMeaning::number;
            scalar.number = *value;
        }
        return scalar;
    }
    if (!number) return scalar;
    if (is_timestamp(text)) {
        scalar.meaning = ScalarMeaning::timestamp;
        return scalar;
    }
    return numeric(text);
}

bool is_base60(std::string_view text) {
    if (text.empty() || text.find(':') == std::string_view::npos) return false;
    std::size_t at = text[0] == '-' || text[0] == '+' ? 1 : 0;
    if (at >= text.size() || !is_digit_char(text[at])) return false;
    while (at < text.size() && (is_digit_char(text[at]) || text[at] == '_'))
        ++at;
    std::size_t groups = 0;
    while (at < text.size() && text[at] == ':') {
        const std::size_t count = digits_at(text, at + 1);
        if (count == 0 || count > 2 || (count == 2 && text[at + 1] > '5')) return false;
        at += 1 + count;
        ++groups;
    }
    if (groups == 0) return false;
    if (at < text.size() && text[at] == '.')
        while (++at < text.size() && (is_digit_char(text[at]) || text[at] == '_')) {
        }
    return at == text.size();
}

} // namespace lockstep

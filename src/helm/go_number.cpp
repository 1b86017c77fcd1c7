// strconv's number forms on top of <charconv>.
#include "helm/go_number.h"
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace lockstep {
namespace {

struct Digits {
    std::string digits; // without a point
    int exponent = 0;   // of the first digit
    bool negative = false;
};

Digits shortest_digits(double value) {
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, std::fabs(value), std::chars_format::scientific);
    const std::string_view text(buffer, static_cast<std::size_t>(end.ptr - buffer));
    Digits found;
    found.negative = std::signbit(value);
    const std::size_t e = text.find('e');
    for (char c : text.substr(0, e))
        if (c != '.') found.digits += c;
    found.exponent = std::atoi(std::string(text.substr(e + 1)).c_str());
    return found;
}

std::string with_exponent(const Digits& d, char form) {
    std::string out = d.negative ? "-" : "";
    out += d.digits[0];
    if (d.digits.size() > 1) out += '.' + d.digits.substr(1);
    out += form;
    out += d.exponent < 0 ? '-' : '+';
    const std::string exponent = std::to_string(std::abs(d.exponent));
    return out + (exponent.size() < 2 ? "0" : "") + exponent;
}

std::string without_exponent(const Digits& d) {
    std::string out = d.negative ? "-" : "";
    if (d.exponent < 0) return out + "0." + std::string(static_cast<std::size_t>(-d.exponent - 1), '0') + d.digits;
    const auto whole = static_cast<std::size_t>(d.exponent) + 1;
    if (d.digits.size() <= whole) return out + d.digits + std::string(whole - d.digits.size(), '0');
    return out + d.digits.substr(0, whole) + "." + d.digits.substr(whole);
}

std::string printed(const char* pattern, int precision, double value) {
    char buffer[512];
    const int size = std::snprintf(buffer, sizeof buffer, pattern, precision, value);
    if (size >= 0 && static_cast<std::size_t>(size) < sizeof buffer) return buffer;
    std::string large(static_cast<std::size_t>(size), '\0');
    std::snprintf(large.data(), large.size() + 1, pattern, precision, value);
    return large;
}

int digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 99;
}

// Underscores are between digits, or behind the base's prefix, and only with base 0.
bool underscores_fit(std::string_view text) {
    char before = '^';
    std::size_t i = 0;
    bool hex = false;
    if (text.size() >= 2 && text[0] == '0' && std::string_view("bBoOxX").find(text[1]) != std::string_view::npos) {
        i = 2;
        before = '0';
        hex = text[1] == 'x' || text[1] == 'X';
    }
    for (; i < text.size(); ++i) {
        const char c = text[i];
        if ((c >= '0' && c <= '9') || (hex && digit_value(c) < 16)) {
            before = '0';
        } else if (c == '_') {
            if (before != '0') return false;
            before = '_';
        } else {
            if (before == '_') return false;
            before = '!';
        }
    }
    return before != '_';
}

} // namespace

std::string format_float(double value, char form, int precision) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value < 0 ? "-Inf" : "+Inf";
    const char lower = form == 'E' ? 'e' : form == 'G' ? 'g' : form;
    const char exponent_letter = form == 'E' || form == 'G' ? 'E' : 'e';
    if (precision >= 0) {
        if (precision > 400) precision = 400;
        if (lower == 'e') return printed(form == 'E' ? "%.*E" : "%.*e", precision, value);
        if (lower == 'f') return printed("%.*f", precision, value);
        return printed(form == 'G' ? "%.*G" : "%.*g", precision, value);
    }
    const Digits digits = shortest_digits(value);
    if (lower == 'e') return with_exponent(digits, exponent_letter);
    if (lower == 'f') return without_exponent(digits);
    if (digits.exponent < -4 || digits.exponent >= 6) return with_exponent(digits, exponent_letter);
    return without_exponent(digits);
}

std::optional<ParsedUint> parse_uint(std::string_view text, int base) {
    if (text.empty()) return std::nullopt;
    const std::string_view whole = text;
    const bool free_base = base == 0;
    if (free_base) {
        base = 10;
        if (text[0] == '0') {
            const char letter = text.size() >= 3 ? static_cast<char>(text[1] | 0x20) : '\0';
            base = letter == 'b' ? 2 : letter == 'o' ? 8 : letter == 'x' ? 16 : 8;
            text.remove_prefix(letter == 'b' || letter == 'o' || letter == 'x' ? 2 : 1);
        }
    }
    ParsedUint parsed;
    bool underscore = false;
    for (char c : text) {
        if (c == '_' && free_base) {
            underscore = true;
            continue;
        }
        const int digit = digit_value(c);
        if (digit >= base) return std::nullopt;
        std::uint64_t next = 0;
        if (__builtin_mul_overflow(parsed.value, static_cast<std::uint64_t>(base), &next) ||
            __builtin_add_overflow(next, static_cast<std::uint64_t>(digit), &next))
            parsed.out_of_range = true;
        parsed.value = next;
    }
    if (underscore && !underscores_fit(whole)) return std::nullopt;
    if (parsed.out_of_range) parsed.value = std::numeric_limits<std::uint64_t>::max();
    return parsed;
}

std::optional<ParsedInt> parse_int(std::string_view text, int base) {
    if (text.empty()) return std::nullopt;
    const bool negative = text[0] == '-';
    if (text[0] == '-' || text[0] == '+') text.remove_prefix(1);
    const auto number = parse_uint(text, base);
    if (!number) return std::nullopt;
    constexpr std::uint64_t limit = std::uint64_t{1} << 63U;
    ParsedInt parsed;
    parsed.out_of_range = number->out_of_range || number->value > (negative ? limit : limit - 1);
    if (parsed.out_of_range)
        parsed.value = negative ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
    else
        parsed.value = static_cast<std::int64_t>(negative ? 0 - number->value : number->value);
    return parsed;
}

std::optional<double> parse_float(std::string_view text) {
    std::string_view body = text;
    if (!body.empty() && (body[0] == '-' || body[0] == '+')) body.remove_prefix(1);
    std::string word;
    for (char c : body)
        word += static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
    const double sign = !text.empty() && text[0] == '-' ? -1 : 1;
    if (word == "inf" || word == "infinity") return sign * std::numeric_limits<double>::infinity();
    if (word == "nan" && body.size() == text.size()) return std::numeric_limits<double>::quiet_NaN();
    const bool hex = word.starts_with("0x");
    if (word.empty() || !((word[0] >= '0' && word[0] <= '9') || word[0] == '.')) return std::nullopt;
    if (word.find('_') != std::string::npos) {
        if (!underscores_fit(body)) return std::nullopt;
        std::erase(word, '_');
    }
    double value = 0;
    const char* begin = word.data() + (hex ? 2 : 0);
    const char* end = word.data() + word.size();
    if (hex && word.find('p') == std::string::npos) return std::nullopt;
    const auto read = std::from_chars(begin, end, value, hex ? std::chars_format::hex : std::chars_format::general);
    if (read.ptr != end || read.ec == std::errc::invalid_argument) return std::nullopt;
    if (read.ec == std::errc::result_out_of_range) value = std::strtod(word.c_str(), nullptr);
    return sign * value;
}

std::int64_t float_to_int(double value) {
    if (!(value >= -9223372036854775808.0 && value < 9223372036854775808.0))
        return std::numeric_limits<std::int64_t>::min();
    return static_cast<std::int64_t>(value);
}

} // namespace lockstep

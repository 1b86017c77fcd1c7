// Number constants of templates: integer, float and imaginary at once, as Go's ideal constants are.
#include "helm/go_number.h"
#include "helm/runes.h"
#include "helm/template_parse.h"
#include <cmath>

namespace lockstep {
namespace {

void take_float(double value, TemplateNumber& number) {
    number.is_float = true;
    number.number = value;
    if (std::fabs(value) < 9.2e18 && std::trunc(value) == value) {
        number.is_int = true;
        number.integer = static_cast<std::int64_t>(value);
    }
    if (value >= 0 && value < 1.8e19 && std::trunc(value) == value) {
        number.is_uint = true;
        number.natural = static_cast<std::uint64_t>(value);
    }
}

} // namespace

std::string parse_template_number(std::string_view text, char kind, TemplateNumber& number) {
    if (kind == 'c') {
        char32_t rune = 0;
        bool is_byte = false;
        std::size_t at = 1;
        if (!unquote_char(text, at, '\'', rune, is_byte)) return "invalid syntax";
        if (text.substr(at) != "'") return "malformed character constant: " + std::string(text);
        number = {true, true, true, false, static_cast<std::int64_t>(rune), rune, static_cast<double>(rune)};
        return {};
    }
    if (kind == 'i') { // 1+2i: only a zero imaginary part leaves a number that templates can use
        const std::size_t sign = text.find_last_of("+-");
        const auto real = parse_float(text.substr(0, sign));
        const auto imaginary = parse_float(text.substr(sign, text.size() - sign - 1));
        if (!real || !imaginary) return "syntax error scanning complex number";
        number.is_complex = true;
        if (*imaginary == 0) take_float(*real, number);
        return {};
    }
    if (text.ends_with('i')) {
        if (const auto imaginary = parse_float(text.substr(0, text.size() - 1))) {
            number.is_complex = true;
            if (*imaginary == 0) take_float(0, number);
            return {};
        }
    }
    if (const auto natural = parse_uint(text, 0); natural && !natural->out_of_range) {
        number.is_uint = true;
        number.natural = natural->value;
    }
    if (const auto integer = parse_int(text, 0); integer && !integer->out_of_range) {
        number.is_int = true;
        number.integer = integer->value;
        if (integer->value == 0) number.is_uint = true;
    }
    if (number.is_int || number.is_uint) {
        number.is_float = true;
        number.number = number.is_int ? static_cast<double>(number.integer) : static_cast<double>(number.natural);
        return {};
    }
    const auto value = parse_float(text);
    if (!value || std::isinf(*value)) return "illegal number syntax: " + quoted(text);
    if (text.find_first_of(".eEpP") == std::string_view::npos) return "integer overflow: " + quoted(text);
    take_float(*value, number);
    return {};
}

} // namespace lockstep

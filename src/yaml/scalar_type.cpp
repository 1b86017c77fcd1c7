// Resolution of plain scalars as go-yaml 3 reads and go-yaml 2 writes them.
#include "yaml/scalar_type.h"
#include "base/text.h"
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace lockstep {
namespace {

bool one_of(std::string_view text, std::initializer_list<std::string_view> words) {
    for (std::string_view word : words)
        if (text == word) return true;
    return false;
}

struct Number {
    bool real = false;
    bool negative = false;
    std::uint64_t whole = 0;
    double value = 0;
};

std::optional<std::uint64_t> parse_unsigned(std::string_view digits, int base) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

// strconv.ParseInt and ParseUint with base 0: 0x, 0o, 0b and a leading 0 name the base.
std::optional<Number> parse_whole(std::string_view text) {
    Number number;
    bool with_sign = false;
    if (text.starts_with('-') || text.starts_with('+')) {
        number.negative = text[0] == '-';
        with_sign = true;
        text.remove_prefix(1);
    }
    int base = 10;
    if (text.size() > 1 && text[0] == '0') {
        const char c = static_cast<char>(text[1] | 0x20);
        base = c == 'x' ? 16 : c == 'b' ? 2 : 8;
        text.remove_prefix(c == 'x' || c == 'b' || c == 'o' ? 2 : 1);
    }
    const auto value = parse_unsigned(text, base);
    if (!value) return std::nullopt;
    number.whole = *value;
    constexpr std::uint64_t most = std::uint64_t{1} << 63U;
    if (number.negative ? *value > most : (*value >= most && with_sign)) return std::nullopt;
    return number;
}

// [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
bool looks_real(std::string_view text) {
    std::size_t i = 0, before = 0, after = 0;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    for (; i < text.size() && is_digit(text[i]); ++i)
        ++before;
    bool point = false;
    if (i < text.size() && text[i] == '.') {
        point = true;
        for (++i; i < text.size() && is_digit(text[i]); ++i)
            ++after;
    }
    if (before == 0 && (!point || after == 0)) return false;
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        ++i;
        if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
        if (i == text.size()) return false;
        for (; i < text.size(); ++i)
            if (!is_digit(text[i])) return false;
    }
    return i == text.size();
}

std::optional<double> parse_real(const std::string& text) {
    const double value = std::strtod(text.c_str(), nullptr);
    if (!std::isfinite(value)) return std::nullopt; // out of range is an error to Go
    return value;
}

std::optional<Number> parse_number(std::string_view text) {
    std::string plain(text);
    std::erase(plain, '_');
    if (auto whole = parse_whole(plain)) return whole;
    if (looks_real(plain)) {
        if (const auto value = parse_real(plain)) {
            Number number;
            number.real = true;
            number.value = *value;
            return number;
        }
    }
    return std::nullopt;
}

bool digits_at(std::string_view text, std::size_t& at, std::size_t least, std::size_t most, int& value) {
    std::size_t count = 0;
    value = 0;
    while (at < text.size() && is_digit(text[at]) && count < most) {
        value = value * 10 + (text[at++] - '0');
        ++count;
    }
    return count >= least;
}

int days_in(int year, int month) {
    constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap ? 1 : 0);
}

// The formats go-yaml allows: a day; a day, `T`, `t` or a space, a time and, but for the last form, a zone. Gives the
// time as encoding/json writes it.
std::optional<std::string> parse_timestamp(std::string_view text) {
    std::size_t at = 0;
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
    if (text.size() < 8 || !digits_at(text, at, 4, 4, year) || at >= text.size() || text[at] != '-') return {};
    const auto finish = [&](std::string_view fraction, std::string_view zone) {
        char day_text[32];
        std::snprintf(day_text, sizeof day_text, "%04d-%02d-%02dT%02d:%02d:%02d", year, month, day, hour, minute,
                      second);
        return std::string(day_text) + std::string(fraction) + std::string(zone);
    };
    ++at;
    const std::size_t month_at = at;
    if (!digits_at(text, at, 1, 2, month) || at >= text.size() || text[at] != '-') return {};
    const bool long_month = at - month_at == 2;
    ++at;
    const std::size_t day_at = at;
    if (!digits_at(text, at, 1, 2, day)) return {};
    const bool long_day = at - day_at == 2;
    if (month < 1 || month > 12 || day < 1 || day > days_in(year, month)) return {};
    if (at == text.size()) return long_month && long_day ? std::optional(finish("", "Z")) : std::nullopt;
    const char separator = text[at++];
    if (separator != 'T' && separator != 't' && separator != ' ') return {};
    const std::size_t hour_at = at;
    if (!digits_at(text, at, 1, 2, hour) || at >= text.size() || text[at++] != ':') return {};
    if (at - hour_at < 2 || hour > 23) return {};
    if (!digits_at(text, at, 1, 2, minute) || minute > 59 || at >= text.size() || text[at++] != ':') return {};
    if (!digits_at(text, at, 1, 2, second) || second > 59) return {};
    std::string fraction;
    if (at < text.size() && (text[at] == '.' || text[at] == ',')) {
        const std::size_t begin = at++;
        while (at < text.size() && is_digit(text[at]))
            ++at;
        if (at - begin < 2) return {};
        fraction = "." + std::string(text.substr(begin + 1, std::min<std::size_t>(at - begin - 1, 9)));
        while (fraction.back() == '0')
            fraction.pop_back();
        if (fraction == ".") fraction.clear();
    }
    if (separator == ' ' && at == text.size()) return finish(fraction, "Z");
    if (separator == ' ') return {};
    if (text.substr(at) == "Z") return finish(fraction, "Z");
    if (at + 6 == text.size() && (text[at] == '+' || text[at] == '-') && text[at + 3] == ':') {
        const std::string_view zone = text.substr(at);
        return finish(fraction, zone.substr(1) == "00:00" ? "Z" : zone);
    }
    return {};
}

// 190:20:30.15, which YAML 1.1 reads as a number.
bool is_base60(std::string_view text) {
    if (text.find(':') == std::string_view::npos) return false;
    std::size_t at = 0;
    if (text[at] == '-' || text[at] == '+') ++at;
    if (at >= text.size() || !is_digit(text[at])) return false;
    while (at < text.size() && (is_digit(text[at]) || text[at] == '_'))
        ++at;
    bool parts = false;
    while (at < text.size() && text[at] == ':') {
        ++at;
        if (at + 1 < text.size() && text[at] >= '0' && text[at] <= '5' && is_digit(text[at + 1]))
            at += 2;
        else if (at < text.size() && is_digit(text[at]))
            ++at;
        else
            return false;
        parts = true;
    }
    if (at < text.size() && text[at] == '.')
        for (++at; at < text.size() && (is_digit(text[at]) || text[at] == '_');)
            ++at;
    return parts && at == text.size();
}

enum class Hint : std::uint8_t { none, word, point, number };
Hint hint_of(std::string_view text) {
    if (text.empty()) return Hint::word;
    const char c = text[0];
    if (is_digit(c) || c == '-' || c == '+') return Hint::number;
    if (c == '.') return Hint::point;
    return std::string_view("yYnNtTfFoO~<").find(c) != std::string_view::npos ? Hint::word : Hint::none;
}

bool is_special_float(std::string_view text) {
    return one_of(
        text, {".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF"});
}

// A folded text after go-yaml 3 has written it and read it again: it puts one break too many before lines that begin
// with a blank, and one too few where the text itself begins with one.
std::string refolded(std::string_view text) {
    const std::size_t first = text.find_first_not_of('\n');
    if (first == std::string_view::npos) return std::string(text);
    const bool starts_blank = text[first] == ' ' || text[first] == '\t';
    std::string out;
    bool indented = starts_blank;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        out.append(text.substr(at, end - at));
        if (end > at) indented = text[at] == ' ' || text[at] == '\t';
        std::size_t next = end;
        while (next < text.size() && text[next] == '\n')
            ++next;
        const std::size_t breaks = next - end;
        const bool last = next == text.size(), next_indented = !last && (text[next] == ' ' || text[next] == '\t');
        std::size_t written = breaks;
        if (breaks > 0 && end > 0 && !indented) {
            if (!starts_blank && (next_indented || (last && breaks > 1))) ++written;
            if (starts_blank && !next_indented && !last) --written;
        }
        if (breaks > 0 && written == 0)
            out += ' ';
        else
            out.append(written, '\n');
        at = next;
    }
    return out;
}

std::string shortest(double value, int& exponent) { // digits without point; value = 0.digits * 10^exponent
    char buffer[64];
    const auto [end, error] =
        std::to_chars(buffer, buffer + sizeof buffer, std::fabs(value), std::chars_format::scientific);
    std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
    const std::size_t e = text.find('e');
    std::string digits(text.substr(0, e));
    std::erase(digits, '.');
    exponent = std::atoi(std::string(text.substr(e + 1)).c_str()) + 1;
    return digits;
}

std::string with_exponent(const std::string& digits, int exponent, std::size_t least_digits) {
    std::string out(1, digits[0]);
    if (digits.size() > 1) out += '.' + digits.substr(1);
    out += 'e';
    out += exponent < 0 ? '-' : '+';
    std::string number = std::to_string(std::abs(exponent));
    while (number.size() < least_digits)
        number.insert(0, 1, '0');
    return out + number;
}

std::string without_exponent(std::string digits, int exponent) {
    if (exponent <= 0) return "0." + std::string(static_cast<std::size_t>(-exponent), '0') + digits;
    if (static_cast<std::size_t>(exponent) >= digits.size()) {
        digits.resize(static_cast<std::size_t>(exponent), '0');
        return digits;
    }
    return digits.insert(static_cast<std::size_t>(exponent), 1, '.');
}

} // namespace

std::string go_float(double value) {
    if (value == 0) return std::signbit(value) ? "-0" : "0";
    int exponent = 0;
    const std::string digits = shortest(value, exponent);
    const std::string sign = value < 0 ? "-" : "";
    if (exponent - 1 < -4 || exponent - 1 >= 6) return sign + with_exponent(digits, exponent - 1, 2);
    return sign + without_exponent(digits, exponent);
}

std::string json_float(double value) {
    if (value == 0) return std::signbit(value) ? "-0" : "0";
    int exponent = 0;
    const std::string digits = shortest(value, exponent);
    const std::string sign = value < 0 ? "-" : "";
    if (std::fabs(value) < 1e-6 || std::fabs(value) >= 1e21) return sign + with_exponent(digits, exponent - 1, 1);
    return sign + without_exponent(digits, exponent);
}

std::string_view resolved_tag(std::string_view text) {
    const Hint hint = hint_of(text);
    if (hint == Hint::none) return "!!str";
    if (hint == Hint::word) { // keys are mostly this: few of them have the length of a word that means something
        if (text.size() > 5 || text.size() == 3) return "!!str";
        if (text.size() == 4 && (text[0] == 't' || text[0] == 'T'))
            return one_of(text, {"true", "True", "TRUE"}) ? "!!bool" : "!!str";
        if (text.size() == 5) return one_of(text, {"false", "False", "FALSE"}) ? "!!bool" : "!!str";
        if (one_of(text, {"", "~", "null", "Null", "NULL"})) return "!!null";
        return text == "<<" ? "!!merge" : "!!str";
    }
    if (is_special_float(text)) return "!!float";
    if (hint == Hint::number && parse_timestamp(text)) return "!!timestamp";
    if (const auto number = parse_number(text)) return number->real ? "!!float" : "!!int";
    return "!!str";
}

bool reads_as_text_v2(std::string_view text) {
    if (hint_of(text) == Hint::none) return true;
    if (one_of(text,
               {"y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "n", "N", "no", "No", "NO", "off", "Off", "OFF"}))
        return false;
    return resolved_tag(text) == "!!str" && !is_base60(text);
}

JsonScalar json_scalar(const Value& scalar) {
    JsonScalar out;
    out.text = scalar.text;
    const bool quoted = scalar.style != NodeStyle::plain || scalar.text.find('\n') != std::string_view::npos;
    if (scalar.style == NodeStyle::folded && scalar.text.find('\n') != std::string_view::npos) {
        std::string again = refolded(scalar.text);
        if (again != scalar.text) out.made = std::move(again);
    }
    if (scalar.tag == "!!str") return out;
    const std::string_view resolved = resolved_tag(scalar.text);
    std::string_view tag = scalar.tag.empty() || scalar.tag == resolved ? (quoted ? "!!str" : resolved) : scalar.tag;
    if (tag == "!!str" || tag == "!!merge" || !tag.starts_with("!!")) return out;
    if (tag == "!!null") {
        out.type = JsonType::null;
        out.text = "null";
        return out;
    }
    if (tag == "!!timestamp") {
        if (auto time = parse_timestamp(scalar.text)) out.made = *time;
        return out;
    }
    if (tag == "!!bool" && resolved == "!!bool") {
        out.type = JsonType::boolean;
        out.text = (scalar.text[0] | 0x20) == 't' ? "true" : "false";
        return out;
    }
    if ((tag == "!!int" && resolved == "!!int") ||
        (tag == "!!float" && (resolved == "!!int" || resolved == "!!float"))) {
        out.type = JsonType::number;
        const auto number = parse_number(scalar.text);
        if (!number) { // .nan and .inf: JSON has none
            out.type = JsonType::bad;
            out.made = "json: unsupported value";
        } else if (number->real)
            out.made = json_float(number->value);
        else {
            out.made = std::to_string(number->whole);
            if (number->negative && number->whole != 0) out.made.insert(0, 1, '-');
            if (out.made == scalar.text) out.made.clear();
        }
        return out;
    }
    if (tag == "!!binary") return out;
    out.type = JsonType::bad;
    out.made =
        "yaml: cannot decode " + std::string(resolved) + " `" + std::string(scalar.text) + "` as a " + std::string(tag);
    return out;
}

} // namespace lockstep

// Numbers as Go's strconv writes and reads them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

// strconv.FormatFloat(value, form, precision, 64); form is e, E, f, g or G; precision -1 is the shortest that reads
// back.
std::string format_float(double value, char form, int precision);

struct ParsedInt {
    std::int64_t value = 0;
    bool out_of_range = false;
};
// strconv.ParseInt(text, base, 64): base 0 takes 0x, 0o, 0b, 0 and underscores. Nothing for bad syntax.
std::optional<ParsedInt> parse_int(std::string_view text, int base);
struct ParsedUint {
    std::uint64_t value = 0;
    bool out_of_range = false;
};
std::optional<ParsedUint> parse_uint(std::string_view text, int base);
// strconv.ParseFloat(text, 64); infinite when out of range.
std::optional<double> parse_float(std::string_view text);
// Go's conversion of a float to int64 on amd64: what does not fit is the smallest number.
std::int64_t float_to_int(double value);

} // namespace lockstep

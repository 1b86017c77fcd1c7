// Times and durations as Go's time package writes them. All of it in UTC.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

std::string format_time(std::int64_t seconds, std::string_view layout);
// Only what a layout of plain numbers needs; nothing when the text does not fit.
std::optional<std::int64_t> parse_time(std::string_view layout, std::string_view text);
std::string format_duration(std::int64_t nanoseconds);
std::optional<std::int64_t> parse_duration(std::string_view text); // nanoseconds

} // namespace lockstep

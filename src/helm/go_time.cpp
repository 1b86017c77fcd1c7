// Layouts are written with the moment 2006-01-02 15:04:05.
#include "helm/go_time.h"
#include <array>
#include <cstdio>

namespace lockstep {
namespace {

struct Calendar {
    std::int64_t year = 1970;
    int month = 1, day = 1, hour = 0, minute = 0, second = 0, weekday = 4;
};

constexpr std::array<std::string_view, 12> months = {"January",   "February", "March",    "April",
                                                     "May",       "June",     "July",     "August",
                                                     "September", "October",  "November", "December"};
constexpr std::array<std::string_view, 7> days = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                  "Thursday", "Friday", "Saturday"};

// Days since 1970 of a date, and back: years that begin in March have their leap day at the end.
std::int64_t days_of(std::int64_t year, int month, int day) {
    year -= month <= 2 ? 1 : 0;
    const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
    const std::int64_t in_era = year - era * 400;
    const std::int64_t in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year - 719468;
}

Calendar calendar_of(std::int64_t seconds) {
    std::int64_t days_since = seconds / 86400, rest = seconds % 86400;
    if (rest < 0) {
        rest += 86400;
        --days_since;
    }
    Calendar made;
    made.hour = static_cast<int>(rest / 3600);
    made.minute = static_cast<int>(rest / 60 % 60);
    made.second = static_cast<int>(rest % 60);
    made.weekday = static_cast<int>(((days_since + 4) % 7 + 7) % 7);
    const std::int64_t shifted = days_since + 719468;
    const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    const std::int64_t in_era = shifted - era * 146097;
    const std::int64_t years = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    const std::int64_t in_year = in_era - (365 * years + years / 4 - years / 100);
    const std::int64_t shifted_month = (5 * in_year + 2) / 153;
    made.day = static_cast<int>(in_year - (153 * shifted_month + 2) / 5 + 1);
    made.month = static_cast<int>(shifted_month < 10 ? shifted_month + 3 : shifted_month - 9);
    made.year = years + era * 400 + (made.month <= 2 ? 1 : 0);
    return made;
}

// The longest first where one begins another.
constexpr std::array<std::string_view, 30> parts = {
    "January", "Monday", "-07:00:00", "Z07:00",     "-07:00", "-0700", "Z0700", "2006", "Jan", "Mon",
    "MST",     "002",    "01",        "02",         "03",     "04",    "05",    "06",   "-07", "15",
    "PM",      "pm",     "_2",        ".000000000", ".000",   "1",     "2",     "3",    "4",   "5"};

std::string padded(std::int64_t value, int width) {
    char text[32];
    std::snprintf(text, sizeof text, "%0*lld", width, static_cast<long long>(value));
    return text;
}

std::string_view part_at(std::string_view layout) {
    for (std::string_view part : parts)
        if (layout.starts_with(part)) return part;
    return {};
}

std::string part_text(std::string_view part, const Calendar& t) {
    const int hour12 = t.hour % 12 == 0 ? 12 : t.hour % 12;
    if (part == "January") return std::string(months[static_cast<std::size_t>(t.month - 1)]);
    if (part == "Jan") return std::string(months[static_cast<std::size_t>(t.month - 1)].substr(0, 3));
    if (part == "Monday") return std::string(days[static_cast<std::size_t>(t.weekday)]);
    if (part == "Mon") return std::string(days[static_cast<std::size_t>(t.weekday)].substr(0, 3));
    if (part == "2006") return padded(t.year, 4);
    if (part == "06") return padded(t.year % 100, 2);
    if (part == "01") return padded(t.month, 2);
    if (part == "1") return padded(t.month, 1);
    if (part == "02") return padded(t.day, 2);
    if (part == "_2") return (t.day < 10 ? " " : "") + std::to_string(t.day);
    if (part == "2") return padded(t.day, 1);
    if (part == "002") return padded(days_of(t.year, t.month, t.day) - days_of(t.year, 1, 1) + 1, 3);
    if (part == "15") return padded(t.hour, 2);
    if (part == "03") return padded(hour12, 2);
    if (part == "3") return padded(hour12, 1);
    if (part == "04") return padded(t.minute, 2);
    if (part == "4") return padded(t.minute, 1);
    if (part == "05") return padded(t.second, 2);
    if (part == "5") return padded(t.second, 1);
    if (part == "PM") return t.hour < 12 ? "AM" : "PM";
    if (part == "pm") return t.hour < 12 ? "am" : "pm";
    if (part == "MST") return "UTC";
    if (part == "Z07:00" || part == "Z0700") return "Z";
    if (part == "-07:00") return "+00:00";
    if (part == "-0700") return "+0000";
    if (part == "-07") return "+00";
    if (part == ".000" || part == ".000000000") return "." + std::string(part.size() - 1, '0');
    return "+00:00:00";
}

} // namespace

std::string format_time(std::int64_t seconds, std::string_view layout) {
    const Calendar time = calendar_of(seconds);
    std::string out;
    while (!layout.empty()) {
        const std::string_view part = part_at(layout);
        out += part.empty() ? std::string(1, layout[0]) : part_text(part, time);
        layout.remove_prefix(part.empty() ? 1 : part.size());
    }
    return out;
}

std::optional<std::int64_t> parse_time(std::string_view layout, std::string_view text) {
    Calendar time;
    time.year = 0;
    while (!layout.empty()) {
        const std::string_view part = part_at(layout);
        if (part.empty()) {
            if (text.empty() || text[0] != layout[0]) return std::nullopt;
            text.remove_prefix(1);
            layout.remove_prefix(1);
            continue;
        }
        layout.remove_prefix(part.size());
        if (part == "MST" || part == "Z07:00" || part == "-07:00" || part == "-0700") {
            if (text.starts_with("UTC"))
                text.remove_prefix(3);
            else if (text.starts_with("Z"))
                text.remove_prefix(1);
            else
                return std::nullopt;
            continue;
        }
        if (part == "Jan" || part == "January") {
            bool found = false;
            for (std::size_t i = 0; i < months.size() && !found; ++i) {
                const std::string_view name = part == "Jan" ? months[i].substr(0, 3) : months[i];
                if (!text.starts_with(name)) continue;
                text.remove_prefix(name.size());
                time.month = static_cast<int>(i) + 1;
                found = true;
            }
            if (!found) return std::nullopt;
            continue;
        }
        const std::size_t most = part == "2006" ? 4 : 2;
        std::size_t count = 0;
        int value = 0;
        for (; count < most && count < text.size() && text[count] >= '0' && text[count] <= '9'; ++count)
            value = value * 10 + (text[count] - '0');
        if (count == 0 || (part.size() > 1 && count != most)) return std::nullopt;
        text.remove_prefix(count);
        if (part == "2006")
            time.year = value;
        else if (part == "01" || part == "1")
            time.month = value;
        else if (part == "02" || part == "2" || part == "_2")
            time.day = value;
        else if (part == "15" || part == "03" || part == "3")
            time.hour = value;
        else if (part == "04" || part == "4")
            time.minute = value;
        else if (part == "05" || part == "5")
            time.second = value;
        else
            return std::nullopt;
    }
    if (!text.empty() || time.month < 1 || time.month > 12 || time.day < 1 || time.day > 31) return std::nullopt;
    return days_of(time.year, time.month, time.day) * 86400 + time.hour * 3600 + time.minute * 60 + time.second;
}

std::string format_duration(std::int64_t nanoseconds) {
    if (nanoseconds == 0) return "0s";
    std::string out = nanoseconds < 0 ? "-" : "";
    const std::uint64_t all =
        nanoseconds < 0 ? 0 - static_cast<std::uint64_t>(nanoseconds) : static_cast<std::uint64_t>(nanoseconds);
    const auto fraction = [](std::uint64_t value, std::uint64_t unit) {
        std::string text = std::to_string(value / unit);
        std::string rest = std::to_string(unit + value % unit).substr(1);
        rest.erase(rest.find_last_not_of('0') + 1);
        return text + (rest.empty() ? "" : "." + rest);
    };
    if (all < 1000) return out + std::to_string(all) + "ns";
    if (all < 1000000) return out + fraction(all, 1000) + "\xc2\xb5s";
    if (all < 1000000000) return out + fraction(all, 1000000) + "ms";
    const std::uint64_t seconds = all / 1000000000;
    if (seconds >= 3600) out += std::to_string(seconds / 3600) + "h";
    if (seconds >= 60) out += std::to_string(seconds / 60 % 60) + "m";
    return out + fraction(all % 60000000000ULL, 1000000000) + "s";
}

std::optional<std::int64_t> parse_duration(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    if (text == "0") return 0;
    if (text.empty()) return std::nullopt;
    double total = 0;
    while (!text.empty()) {
        std::size_t end = 0;
        double value = 0, scale = 1;
        bool point = false, digits = false;
        for (; end < text.size() && ((text[end] >= '0' && text[end] <= '9') || text[end] == '.'); ++end) {
            if (text[end] == '.') {
                if (point) return std::nullopt;
                point = true;
                continue;
            }
            digits = true;
            value = value * 10 + (text[end] - '0');
            if (point) scale *= 10;
        }
        if (!digits) return std::nullopt;
        text.remove_prefix(end);
        constexpr std::array<std::pair<std::string_view, double>, 7> units = {
            std::pair{"ns", 1.0}, {"us", 1e3}, {"\xc2\xb5s", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 6e10}, {"h", 3.6e12}};
        bool found = false;
        for (const auto& [name, factor] : units) {
            if (!text.starts_with(name)) continue;
            total += value / scale * factor;
            text.remove_prefix(name.size());
            found = true;
            break;
        }
        if (!found || total > 9.2e18) return std::nullopt;
    }
    const auto whole = static_cast<std::int64_t>(total);
    return negative ? -whole : whole;
}

} // namespace lockstep

// The names of severities, as written in rule files, configs and reports.
#include "base/finding.h"
#include <array>

namespace lockstep {

namespace {

constexpr std::array<std::string_view, 4> severity_names = {"off", "note", "warning", "error"};

} // namespace

std::string_view to_string(Severity severity) {
    return severity_names[static_cast<std::size_t>(severity)];
}

std::optional<Severity> parse_severity(std::string_view text) {
    for (std::size_t i = 0; i < severity_names.size(); ++i)
        if (severity_names[i] == text) return static_cast<Severity>(i);
    return std::nullopt;
}

} // namespace lockstep

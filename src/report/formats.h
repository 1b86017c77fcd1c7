// The formats a report can be asked for by name, one row each.
#pragma once
#include "report/report.h"
#include <span>

namespace lockstep {

struct Format {
    std::string_view name;
    std::string_view says; // for --help
    Written (*write)(const Report& report);
    bool lines = false;  // made of lines for a log, so that it may be on stdout beside text
    bool passes = false; // names what passed, too
    bool json = false;
};

std::span<const Format> report_formats();
const Format* find_format(std::string_view name);
std::vector<std::string> format_names();

} // namespace lockstep

// The table of formats: a new one is a writer in a file of its own and a row here.
#include "report/formats.h"

namespace lockstep {
namespace {

constexpr Format table[] = {
    {"text", "for people and problem matchers", write_text, true},
    {"json", "for programs: all findings with their places, a stable contract", write_json},
};

} // namespace

std::span<const Format> report_formats() {
    return table;
}

const Format* find_format(std::string_view name) {
    for (const Format& format : table)
        if (format.name == name) return &format;
    return nullptr;
}

std::vector<std::string> format_names() {
    std::vector<std::string> names;
    for (const Format& format : table)
        names.emplace_back(format.name);
    return names;
}

} // namespace lockstep

// The table of formats: a new one is a writer in a file of its own and a row here.
#include "report/formats.h"

namespace lockstep {
namespace {

constexpr Format table[] = {
    {"text", "for people and problem matchers", write_text, true},
    {"json", "for programs: all findings with their places, a stable contract", write_json, false, false, true},
    {"lines", "for editors and problem matchers: one line a finding", write_lines, true},
    {"github", "annotations of GitHub and Gitea Actions, ten of a kind", write_github, true},
    {"summary", "a page of Markdown for GITHUB_STEP_SUMMARY", write_step_summary},
    {"codequality", "for GitLab's Code Quality", write_codequality, false, false, true},
    {"junit", "a suite per rule, a test case per subject, passed ones too", write_junit, false, true},
    {"sarif", "SARIF 2.1.0, for code scanning and editors", write_sarif, false, false, true},
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

// Fixtures carry their expectations on the line: `# expect: rule-id`. Alone on its line it is about the next line
// of code; `# expect: rule-id in path` is about a file that cannot carry a comment, `# expect: rule-id as note`
// about the severity, too.
#pragma once
#include "cli/lint.h"

namespace lockstep {

struct Expectation {
    FileId file = no_file;
    std::uint32_t line = 0; // 0: any line
    std::string rule;
    Place place; // the comment
    std::optional<Severity> severity = {};
};

std::vector<Expectation> find_expectations(const Tree& tree, Locator& locator);

// What was expected and not found, and what was found and not expected, one line each. With `rule` only findings and
// expectations of that rule count.
std::vector<std::string> unmet(const LintRun& run, const std::vector<Expectation>& expectations,
                               const std::string& rule);

} // namespace lockstep

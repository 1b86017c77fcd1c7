// Patterns with one wildcard.
#include "deploy/name_pattern.h"

namespace lockstep {

std::string pattern_of_name(std::string_view name) {
    std::string pattern;
    while (!name.empty()) {
        std::string_view close;
        if (name.starts_with("${")) close = "}";
        if (name.starts_with("{{")) close = "}}";
        if (name.starts_with("<<")) close = ">>";
        const std::size_t end = close.empty() ? std::string_view::npos : name.find(close);
        pattern += end == std::string_view::npos ? name.front() : '*';
        name.remove_prefix(end == std::string_view::npos ? 1 : end + close.size());
    }
    return pattern;
}

bool fits(std::string_view pattern, std::string_view text) {
    std::size_t at = 0, from = 0, star = std::string_view::npos, mark = 0;
    while (from < text.size()) {
        if (at < pattern.size() && pattern[at] == '*') {
            star = at++;
            mark = from;
        } else if (at < pattern.size() && pattern[at] == text[from]) {
            ++at;
            ++from;
        } else if (star != std::string_view::npos) {
            at = star + 1;
            from = ++mark;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

bool is_placeholder(std::string_view text) {
    if (text.find_first_of("{}<>[]$%#?*|") != std::string_view::npos) return true;
    for (std::string_view word : {"PLACEHOLDER", "placeholder", "CHANGE", "REPLACE", "YOUR", "your-", "TODO", "@@"})
        if (text.find(word) != std::string_view::npos) return true;
    return false;
}

} // namespace lockstep

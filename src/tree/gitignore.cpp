// Lines of an ignore file into rules, and the verdict of nested files: the last rule of the innermost file wins.
#include "tree/gitignore.h"

namespace lockstep {

namespace {

// Blanks at the end do not count unless a backslash keeps them.
std::string_view without_trailing_spaces(std::string_view line) {
    std::size_t end = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == ' ') continue;
        if (line[i] == '\\' && ++i == line.size()) return line;
        end = i + 1;
    }
    return line.substr(0, end);
}

} // namespace

IgnoreRules::IgnoreRules(std::string_view text) {
    const char* const start = text.data();
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    while (!text.empty()) {
        std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        const auto begin = static_cast<std::uint32_t>(line.data() - start);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        // Only a CR that belongs to a line break is none of the pattern; git adds the break a last line lacks.
        if (line.ends_with('\r')) line.remove_suffix(1);
        const auto finish = begin + static_cast<std::uint32_t>(line.size());
        line = line.substr(0, line.find('\0'));
        if (line.starts_with('#')) continue;
        line = without_trailing_spaces(line);

        bool negated = line.starts_with('!');
        if (negated) line.remove_prefix(1);
        bool directories_only = line.ends_with('/');
        if (directories_only) line.remove_suffix(1);
        if (line.empty()) continue;
        bool name_only = line.find('/') == std::string_view::npos;
        if (line.starts_with('/')) line.remove_prefix(1);
        if (rules_.size() == most_patterns) {
            too_many_ = true;
            rules_.clear();
            return;
        }
        rules_.push_back({WildPattern(line), negated, directories_only, name_only, begin, finish});
    }
}

std::optional<bool> IgnoreRules::verdict(std::string_view path, bool is_directory) const {
    std::string_view name = path.substr(path.rfind('/') + 1);
    for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
        if (rule->directories_only && !is_directory) continue;
        if (rule->pattern.matches(rule->name_only ? name : path)) return !rule->negated;
    }
    return std::nullopt;
}

IgnoreRules::Verdict IgnoreRules::flux_verdict(std::string_view file) const {
    struct Part {
        std::string_view path, name;
    };
    std::vector<Part> parts; // the file, then its folders from the inside out
    for (std::size_t end = file.size(); end != std::string_view::npos && end > 0; end = file.rfind('/', end - 1)) {
        const std::string_view part = file.substr(0, end);
        parts.push_back({part, part.substr(part.rfind('/') + 1)});
    }
    for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule)
        for (std::size_t i = rule->directories_only ? 1 : 0; i < parts.size(); ++i)
            if (rule->pattern.matches(rule->name_only ? parts[i].name : parts[i].path))
                return {!rule->negated, rule->begin, rule->end};
    return {};
}

bool is_ignored(const IgnoreScope* innermost, std::string_view path, bool is_directory) {
    for (const IgnoreScope* scope = innermost; scope; scope = scope->outer.get()) {
        std::string_view below = scope->directory.empty() ? path : path.substr(scope->directory.size() + 1);
        std::string whole;
        if (!scope->above.empty()) below = whole.append(scope->above).append(path);
        if (auto verdict = scope->rules.verdict(below, is_directory)) return *verdict;
    }
    return false;
}

} // namespace lockstep

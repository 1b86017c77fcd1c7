// Lines of a .helmignore into rules; the first one that matches decides.
#include "tree/helmignore.h"
#include "base/text.h"

namespace lockstep {
namespace {} // namespace

HelmIgnore::HelmIgnore(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = trimmed(text.substr(0, end), " \t\r\v\f");
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.empty() || line.starts_with('#') || line.find("**") != std::string_view::npos) continue;
        const bool negated = line.starts_with('!');
        if (negated) line.remove_prefix(1);
        const bool directories_only = line.ends_with('/');
        if (directories_only) line.remove_suffix(1);
        const bool rooted = line.starts_with('/');
        if (rooted) line.remove_prefix(1);
        const bool name_only = !rooted && line.find('/') == std::string_view::npos;
        rules_.push_back({WildPattern(line), negated, directories_only, name_only});
    }
    rules_.push_back({WildPattern("templates/.?*"), false, false, false}); // Helm's own
}

bool HelmIgnore::verdict(std::string_view path, bool is_directory) const {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    for (const Rule& rule : rules_) {
        if (rule.directories_only && !is_directory) {
            if (rule.negated) return true;
            continue;
        }
        if (rule.pattern.matches(rule.name_only ? name : path) != rule.negated) return true;
    }
    return false;
}

bool HelmIgnore::ignores(std::string_view path) const {
    for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1))
        if (verdict(path.substr(0, slash), true)) return true;
    return verdict(path, false);
}

} // namespace lockstep

// Ignore rules by folder, and the paths of .gitmodules.
#include "index/ignored_paths.h"
#include <algorithm>
#include <initializer_list>

namespace lockstep {
IgnoredPaths::IgnoredPaths(const Tree& tree, const TextOfFile& text_of) {
    for (FileId file = 0; file < tree.files.size(); ++file)
        if (const std::string& path = tree.files[file].path; file_name_of(path) == ".gitignore")
            if (const std::string_view text = text_of(file); text.data())
                rules_.emplace(std::string(directory_of(path)), IgnoreRules(text));
}

// The innermost file that mentions the path decides.
std::optional<bool> IgnoredPaths::verdict(std::string_view path, bool is_directory) const {
    for (std::string_view folder = directory_of(path);; folder = directory_of(folder)) {
        const auto rules = rules_.find(folder);
        if (rules != rules_.end())
            if (auto said = rules->second.verdict(path.substr(folder.empty() ? 0 : folder.size() + 1), is_directory))
                return said;
        if (folder.empty()) return std::nullopt;
    }
}

bool IgnoredPaths::covers(std::string_view path) const {
    if (rules_.empty() || path.empty()) return false;
    for (auto slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1))
        if (verdict(path.substr(0, slash), true).value_or(false)) return true;
    return verdict(path, false).value_or(false) || verdict(path, true).value_or(false);
}

std::vector<std::string> submodules_of(const Tree& tree, const TextOfFile& text_of) {
    std::vector<std::string> paths;
    const auto file = tree.find(".gitmodules");
    std::string_view text = file ? text_of(*file) : std::string_view();
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos || line.substr(0, equals).find("path") == std::string_view::npos) continue;
        line.remove_prefix(equals + 1);
        while (!line.empty() && (line.front() == ' ' || line.front() == '\t'))
            line.remove_prefix(1);
        while (!line.empty() && (line.back() == ' ' || line.back() == '\r'))
            line.remove_suffix(1);
        paths.emplace_back(line);
    }
    return paths;
}

} // namespace lockstep

// Ignore rules and sample folders by path.
#include "checks/listed_paths.h"
#include <algorithm>

namespace lockstep {

IgnoredPaths::IgnoredPaths(const Tree& tree) {
    for (const File& file : tree.files)
        if (file_name_of(file.path) == ".gitignore" && file.state == FileState::read)
            rules_.emplace(std::string(directory_of(file.path)), IgnoreRules(file.text));
}

// The innermost file that speaks of the path decides.
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

bool is_sample_path(std::string_view path) {
    while (!path.empty()) {
        const auto end = std::min(path.find('/'), path.size());
        const std::string_view name = path.substr(0, end);
        const bool is_folder = end < path.size();
        for (std::string_view sample : {"examples", "example", "samples", "testdata", ".archive", "archive", "archived",
                                        "_archive", "fixtures", "test-fixtures"})
            if (is_folder && name == sample) return true;
        path.remove_prefix(is_folder ? end + 1 : path.size());
    }
    return false;
}

} // namespace lockstep

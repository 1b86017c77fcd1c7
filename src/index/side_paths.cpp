// Side paths by folder names, globs of the config, and the marks that generators leave.
#include "index/side_paths.h"
#include "base/text.h"
#include <algorithm>

namespace lockstep {
namespace {

// Nothing but blanks from the line's begin to `at`, and from `end` to the line's end.
bool is_whole_line(std::string_view text, std::size_t at, std::size_t end) {
    while (at > 0 && text[at - 1] == ' ')
        --at;
    while (end < text.size() && (text[end] == ' ' || text[end] == '\r'))
        ++end;
    return (at == 0 || text[at - 1] == '\n') && (end == text.size() || text[end] == '\n');
}

// `key: <TOKEN>`, `- <TOKEN>`, `"<TOKEN>…`, or a line of its own: capital letters in angle brackets where something
// begins.
bool has_token_value(std::string_view text) {
    for (std::size_t at = text.find('<'); at != npos; at = text.find('<', at + 1)) {
        std::size_t end = at + 1;
        while (end < text.size() && ((text[end] >= 'A' && text[end] <= 'Z') || text[end] == '_' ||
                                     (end > at + 1 && text[end] >= '0' && text[end] <= '9')))
            ++end;
        if (end - at < 4 || end >= text.size() || text[end] != '>') continue;
        const std::string_view before = text.substr(at < 3 ? 0 : at - 3, std::min<std::size_t>(at, 3));
        if (before.ends_with(": ") || before.ends_with("- ") || before.ends_with(": \"") || before.ends_with("- \"") ||
            is_whole_line(text, at, end + 1))
            return true;
    }
    return false;
}

// `clusters/test` is a cluster, `overlays/tests` an overlay.
bool holds_environments(std::string_view folder) {
    for (std::string_view name :
         {"clusters", "cluster", "environments", "environment", "envs", "env", "overlays", "stages"})
        if (folder == name) return true;
    return false;
}

// The first file of the tree whose path is not before `prefix`.
std::size_t first_below(const Tree& tree, std::string_view prefix) {
    const auto found = std::lower_bound(tree.files.begin(), tree.files.end(), prefix,
                                        [](const File& file, std::string_view path) { return file.path < path; });
    return static_cast<std::size_t>(found - tree.files.begin());
}

// Files of one folder, not of those below it.
template <class Take> bool any_in_folder(const Tree& tree, std::string_view folder, Take take) {
    const std::string prefix = folder.empty() ? std::string() : std::string(folder) + "/";
    for (std::size_t i = first_below(tree, prefix); i < tree.files.size(); ++i) {
        const std::string_view path = tree.files[i].path;
        if (!path.starts_with(prefix)) return false;
        if (path.find('/', prefix.size()) == npos && take(static_cast<FileId>(i))) return true;
    }
    return false;
}

} // namespace

bool SidePaths::covers(std::string_view path) const {
    std::string_view rest = path, above;
    for (auto slash = rest.find('/'); slash != npos; slash = rest.find('/')) {
        const std::string_view folder = rest.substr(0, slash);
        if (!holds_environments(above) && std::find(folders_.begin(), folders_.end(), folder) != folders_.end())
            return true;
        above = folder;
        rest.remove_prefix(slash + 1);
    }
    return std::any_of(globs_.begin(), globs_.end(), [&](const Glob& glob) { return glob.matches(path); });
}

bool SidePaths::covers(FileId file) const {
    std::atomic<Asked>& asked = asked_[file];
    if (asked.load(std::memory_order_relaxed) == never)
        asked.store(covers(tree_.files[file].path) || is_filled_in(file) ? yes : no, std::memory_order_relaxed);
    return asked.load(std::memory_order_relaxed) == yes;
}

bool SidePaths::is_filled_in(FileId file) const {
    const std::string_view path = tree_.files[file].path;
    return has_token_value(tree_.indexed_text(file)) || is_beside_templates(directory_of(path)) || is_embedded(path);
}

bool SidePaths::is_beside_templates(std::string_view folder) const {
    return any_in_folder(tree_, folder,
                         [&](FileId file) { return std::string_view(tree_.files[file].path).ends_with(".j2"); });
}

// `//go:embed` takes files of the program's folder and of folders below it.
bool SidePaths::is_embedded(std::string_view path) const {
    for (std::string_view folder = directory_of(path);; folder = directory_of(folder)) {
        const std::scoped_lock lock(asking_);
        const auto [known, fresh] = embedding_.try_emplace(std::string(folder), false);
        if (fresh) known->second = any_in_folder(tree_, folder, [&](FileId file) { return embeds(file); });
        if (known->second) return true;
        if (folder.empty()) return false;
    }
}

bool SidePaths::embeds(FileId go_file) const {
    File copy = tree_.files[go_file]; // others may be reading it
    if (!std::string_view(copy.path).ends_with(".go")) return false;
    if (copy.state == FileState::listed) read_file(tree_, copy);
    return copy.text.find("//go:embed ") != std::string::npos;
}

bool is_side_path(const Index& index, FileId file) {
    return index.side_paths && index.file_trees[file].empty() && index.side_paths->covers(file);
}

bool is_side_path(const Index& index, std::string_view path) {
    if (!index.side_paths || !index.side_paths->covers(path)) return false;
    const auto file = index.tree->find(path);
    return !file || index.file_trees[*file].empty();
}

} // namespace lockstep

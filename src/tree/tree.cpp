// Questions to the listed tree: which file has this path, is there such a folder, where does a reference lead.
#include "tree/tree.h"
#include "tree/link.h"
#include <algorithm>

namespace lockstep {

namespace {

// A path that goes through linked folders can go through several; the system's own limit for that is 40.
std::optional<FileId> find_exactly(const std::vector<File>& files, std::string_view path) {
    auto it = std::lower_bound(files.begin(), files.end(), path,
                               [](const File& file, std::string_view wanted) { return file.path < wanted; });
    if (it == files.end() || it->path != path) return std::nullopt;
    return static_cast<FileId>(it - files.begin());
}

// git knows no empty folders: a folder is there when a file is below it.
bool holds_files(const std::vector<File>& files, std::string_view path) {
    if (path.empty()) return true;
    std::string prefix = std::string(path) + '/';
    auto it = std::lower_bound(files.begin(), files.end(), prefix,
                               [](const File& file, const std::string& wanted) { return file.path < wanted; });
    return it != files.end() && it->path.starts_with(prefix);
}

// The path with its outermost linked folder replaced by what it leads to; nothing when there is none in it.
std::optional<std::string> through_link(const Tree& tree, std::string_view path) {
    if (tree.linked_directories.empty()) return std::nullopt;
    for (std::size_t end = 0; end != std::string_view::npos;) {
        end = path.find('/', end + 1);
        std::string_view head = path.substr(0, end);
        auto it = std::lower_bound(tree.linked_directories.begin(), tree.linked_directories.end(), head,
                                   [](const auto& link, std::string_view wanted) { return link.first < wanted; });
        if (it == tree.linked_directories.end() || it->first != head) continue;
        return join_path(it->second, path.substr(head.size() + (end == std::string_view::npos ? 0 : 1)));
    }
    return std::nullopt;
}

} // namespace

std::optional<FileId> Tree::find(std::string_view path) const {
    if (auto file = find_exactly(files, path)) return file;
    auto next = through_link(*this, path);
    for (int hops = 0; next && hops < max_links; ++hops) {
        if (auto file = find_exactly(files, *next)) return file;
        next = through_link(*this, *next);
    }
    return std::nullopt;
}

bool Tree::has_directory(std::string_view path) const {
    if (holds_files(files, path)) return true;
    auto next = through_link(*this, path);
    for (int hops = 0; next && hops < max_links; ++hops) {
        if (holds_files(files, *next)) return true;
        next = through_link(*this, *next);
    }
    return false;
}

bool is_in_one_of(const std::vector<std::string>& paths, std::string_view path) {
    for (std::size_t end = 0; end != std::string_view::npos && !paths.empty();) {
        end = path.find('/', end + 1);
        if (std::binary_search(paths.begin(), paths.end(), path.substr(0, end))) return true;
    }
    return false;
}

bool Tree::is_unlisted(std::string_view path) const {
    return is_in_one_of(unlisted, path) && !is_in_one_of(brought_in, path);
}

Tree tree_in_memory(std::initializer_list<std::pair<std::string, std::string>> files) {
    Tree tree;
    for (const auto& [path, text] : files) {
        File file{path, text};
        file.size = text.size();
        file.state = FileState::read;
        tree.files.push_back(std::move(file));
    }
    std::sort(tree.files.begin(), tree.files.end(), [](const File& a, const File& b) { return a.path < b.path; });
    return tree;
}

std::optional<std::string> join_path(std::string_view directory, std::string_view reference) {
    if (reference.starts_with('/')) return std::nullopt;
    std::string joined;
    joined.reserve(directory.size() + reference.size() + 1);
    for (std::string_view part : {directory, reference}) {
        while (!part.empty()) {
            std::size_t slash = part.find('/');
            std::string_view name = part.substr(0, slash);
            part.remove_prefix(slash == std::string_view::npos ? part.size() : slash + 1);
            if (name.empty() || name == ".") continue;
            if (name == "..") {
                if (joined.empty()) return std::nullopt;
                std::size_t cut = joined.rfind('/');
                joined.resize(cut == std::string::npos ? 0 : cut);
                continue;
            }
            if (!joined.empty()) joined += '/';
            joined += name;
        }
    }
    return joined;
}

std::string_view directory_of(std::string_view path) {
    std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

std::string_view file_name_of(std::string_view path) {
    std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

} // namespace lockstep

// Looks upwards for the repository's root, then collects the rules on the way down.
#include "tree/surroundings.h"
#include "tree/open_folder.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lockstep {

namespace {

constexpr int open_folder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

// Whether what the system said only means that there is nothing of the kind.
bool means_nothing_there(int error) {
    return error == ENOENT || error == ENOTDIR || error == ELOOP || error == EACCES;
}

bool is_there(int folder, const std::string& path, WalkPart& found) {
    struct stat status = {};
    if (::fstatat(folder, path.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) return true;
    if (!means_nothing_there(errno)) found.failed.push_back({path, std::strerror(errno)});
    return false;
}

int opened(int folder, const std::string& path, int flags, WalkPart& found) {
    const int fd = ::openat(folder, path.c_str(), open_folder | flags);
    if (fd < 0 && !means_nothing_there(errno)) found.failed.push_back({path, std::strerror(errno)});
    return fd;
}

// The nearest folder at or above `folder` that has a .git; nothing outside of git.
std::optional<std::string> work_tree_of(std::string folder, WalkPart& found) {
    for (;;) {
        if (is_there(AT_FDCWD, folder + "/.git", found)) return folder;
        const auto slash = folder.rfind('/');
        if (slash == std::string::npos || folder.empty()) return std::nullopt;
        folder.resize(slash); // "" is the system's root
    }
}

// No part of the way may be a link: a file from elsewhere would decide what is linted.
std::shared_ptr<const IgnoreScope> own_excludes(const std::string& top, const std::string& above, WalkPart& found) {
    const OpenFolder git(opened(AT_FDCWD, top + "/.git", O_NOFOLLOW, found));
    const OpenFolder info(git.fd < 0 ? -1 : opened(git.fd, "info", O_NOFOLLOW, found));
    if (info.fd < 0 || !is_there(info.fd, "exclude", found)) return nullptr;
    auto scope = with_ignore_file(nullptr, "", info.fd, "exclude", ".git/info/exclude", found);
    if (!scope || above.empty()) return scope;
    IgnoreScope whole = *scope;
    whole.above = above;
    return std::make_shared<const IgnoreScope>(std::move(whole));
}

// The ignore file that lies `below` above the root: `../../.gitignore`, which no file of the tree can be called.
std::string seen_from(const std::string& below) {
    std::string path;
    for (char c : below)
        if (c == '/') path += "../";
    return path + ".gitignore";
}

} // namespace

Surroundings surroundings_of(const std::string& real_root, WalkPart& found) {
    Surroundings around;
    const std::string root = real_root == "/" ? "" : real_root;
    const auto top = work_tree_of(root, found);
    if (!top) return around;
    const std::string above = root == *top ? "" : root.substr(top->size() + 1) + '/';
    auto git_folder = git_folder_of(*top);
    if (!git_folder) found.failed.push_back({".git", git_folder.error().message});
    if (git_folder && *git_folder) around.tracked = std::make_shared<TrackedPaths>(std::move(**git_folder), above, "");
    around.ignore = own_excludes(*top, above, found);
    // Ignore files of the folders above the root, each judged before it is entered.
    for (std::size_t at = 0; at < above.size();) {
        const std::string folder = above.substr(0, at); // with its last '/'
        const std::size_t end = above.find('/', at);
        const OpenFolder open(opened(AT_FDCWD, *top + '/' + folder, 0, found));
        if (open.fd >= 0 && is_there(open.fd, ".gitignore", found)) {
            auto scope = with_ignore_file(around.ignore, "", open.fd, ".gitignore", seen_from(above.substr(at)), found);
            if (scope != around.ignore) {
                IgnoreScope whole = *scope;
                whole.above = above.substr(at);
                around.ignore = std::make_shared<const IgnoreScope>(std::move(whole));
            }
        }
        at = end + 1;
        for (const IgnoreScope* scope = around.ignore.get(); scope; scope = scope->outer.get()) {
            const std::string_view path = std::string_view(above).substr(above.size() - scope->above.size());
            const std::string_view next = path.substr(0, path.size() - (above.size() - end));
            if (const auto verdict = scope->rules.verdict(next, true)) {
                // Somebody named a folder that git leaves out: then it is to be read, and what is above has no say.
                if (*verdict) return {nullptr, around.tracked};
                break;
            }
        }
    }
    return around;
}

} // namespace lockstep

// Looks upwards for the repository's root, then collects the rules on the way down.
#include "tree/surroundings.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lockstep {

namespace {

struct OpenFolder {
    int fd = -1;
    explicit OpenFolder(int opened) : fd(opened) {}
    OpenFolder(const OpenFolder&) = delete;
    OpenFolder& operator=(const OpenFolder&) = delete;
    ~OpenFolder() {
        if (fd >= 0) ::close(fd);
    }
};

constexpr int open_folder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

bool is_there(const std::string& path) {
    struct stat status = {};
    return ::lstat(path.c_str(), &status) == 0;
}

// The nearest folder at or above `folder` that has a .git; nothing outside of git.
std::optional<std::string> work_tree_of(std::string folder) {
    for (;;) {
        if (is_there(folder + "/.git")) return folder;
        const auto slash = folder.rfind('/');
        if (slash == std::string::npos || folder.empty()) return std::nullopt;
        folder.resize(slash); // "" is the system's root
    }
}

// No part of the way may be a link: a file from elsewhere would decide what is linted.
std::shared_ptr<const IgnoreScope> own_excludes(const std::string& top, const std::string& above, WalkPart& found) {
    const OpenFolder git(::open((top + "/.git").c_str(), open_folder | O_NOFOLLOW));
    const OpenFolder info(git.fd < 0 ? -1 : ::openat(git.fd, "info", open_folder | O_NOFOLLOW));
    if (info.fd < 0 || ::faccessat(info.fd, "exclude", F_OK, AT_SYMLINK_NOFOLLOW) != 0) return nullptr;
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
    const auto top = work_tree_of(root);
    if (!top) return around;
    const std::string above = root == *top ? "" : root.substr(top->size() + 1) + '/';
    if (auto git_folder = git_folder_of(*top))
        around.tracked = std::make_shared<TrackedPaths>(std::move(*git_folder), above, "");
    around.ignore = own_excludes(*top, above, found);
    // Ignore files of the folders above the root, each judged before it is entered.
    for (std::size_t at = 0; at < above.size();) {
        const std::string folder = above.substr(0, at); // with its last '/'
        const std::size_t end = above.find('/', at);
        const OpenFolder open(::open((*top + '/' + folder).c_str(), open_folder));
        if (open.fd >= 0 && ::faccessat(open.fd, ".gitignore", F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
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

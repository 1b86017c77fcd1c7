// Resolves links fully before judging them: only the end of the chain counts.
#include "tree/link.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sys/stat.h>

namespace lockstep {

namespace {

LinkTarget refused(std::string why) {
    return {LinkTarget::Kind::refused, {}, std::move(why), 0};
}

LinkTarget not_followed(int error) {
    return {
        LinkTarget::Kind::refused, {}, std::string("a link that cannot be followed: ") + std::strerror(error), error};
}

bool inside_git_folder(std::string_view path) {
    return path == ".git" || path.starts_with(".git/") || path.ends_with("/.git") ||
           path.find("/.git/") != std::string_view::npos;
}

} // namespace

LinkTarget resolve_link(const std::string& root, std::string_view path) {
    std::string start = root + '/';
    start += path;
    std::unique_ptr<char, decltype(&std::free)> end(::realpath(start.c_str(), nullptr), &std::free);
    if (!end) {
        if (errno == ELOOP) return refused("a link in a cycle, or through more than 40 links");
        if (errno == ENOENT || errno == ENOTDIR) return refused("a link to something that does not exist");
        return not_followed(errno);
    }
    std::string_view target = end.get();
    std::string_view base = root == "/" ? std::string_view{} : std::string_view(root);
    bool inside = target.starts_with(base) && (target.size() == base.size() || target[base.size()] == '/');
    if (!inside) return refused("a link out of the repository, to " + std::string(target));
    struct stat status = {};
    if (::lstat(end.get(), &status) != 0) return not_followed(errno);
    target.remove_prefix(std::min(base.size() + 1, target.size()));
    if (inside_git_folder(target)) return refused("a link into .git");
    if (S_ISREG(status.st_mode)) return {LinkTarget::Kind::file, std::string(target), {}, 0};
    if (S_ISDIR(status.st_mode)) return {LinkTarget::Kind::directory, std::string(target), {}, 0};
    return refused("a link to a " + std::string(special_name(status.st_mode)));
}

std::string_view special_name(mode_t mode) {
    if (S_ISFIFO(mode)) return "fifo";
    if (S_ISSOCK(mode)) return "socket";
    return "device";
}

} // namespace lockstep

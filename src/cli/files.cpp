// Reading and writing by name.
#include "cli/files.h"
#include "base/unfinished.h"
#include "tree/tree.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace lockstep {
namespace {

// 0, or the errno of what went wrong. The descriptor is closed either way.
int write_and_close(int fd, std::string_view text) {
    int problem = 0;
    while (!text.empty() && problem == 0) {
        const ssize_t written = ::write(fd, text.data(), text.size());
        if (written >= 0)
            text.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            problem = errno;
    }
    if (::close(fd) != 0 && problem == 0 && errno != EINTR) problem = errno;
    return problem;
}

// A folder on the way to a file that is to be written.
class OpenFolder {
public:
    explicit OpenFolder(int fd) : fd_(fd) {}
    OpenFolder(OpenFolder&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    OpenFolder& operator=(OpenFolder&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~OpenFolder() {
        if (fd_ >= 0) ::close(fd_);
    }
    int fd() const { return fd_; }

private:
    int fd_;
};

struct Destination {
    OpenFolder folder{-1};
    std::string name;
    bool in_repository = false; // a stranger may have put links there
    int problem = 0;
    std::string link = {}; // the part of the path that is a link in a repository
};

bool is_link(int folder, const std::string& name) {
    struct stat status {};
    return ::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
}

// Walks down to the folder of `path`, part by part, and makes what is not there where `make` says so. Links that lead
// there from outside are the user's own; from the root of a repository on (a folder with a .git, or the one that is
// linted) they are not followed. Where the system does not say whether it is one, it is.
Destination destination_of(const std::string& path, const std::string& linted, bool make = false) {
    Destination to;
    if (path.find('\0') != std::string::npos) {
        to.problem = EINVAL; // the system would read another path
        return to;
    }
    struct stat root {};
    const bool has_root = ::stat(linted.c_str(), &root) == 0;
    to.in_repository = !has_root && errno != ENOENT && errno != ENOTDIR;
    to.folder = OpenFolder(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
    std::error_code bad;
    // The working folder may lie in the repository.
    const std::string below = path.starts_with('/') ? path : std::filesystem::current_path(bad).string() + "/" + path;
    to.name = below.substr(below.rfind('/') + 1);
    for (std::size_t at = 0; !bad && to.folder.fd() >= 0;) {
        at = below.find_first_not_of('/', at);
        const std::size_t end = at == std::string::npos ? at : below.find('/', at);
        if (end == std::string::npos) break;
        const std::string part = below.substr(at, end - at);
        const int flags = O_PATH | O_DIRECTORY | O_CLOEXEC | (to.in_repository ? O_NOFOLLOW : 0);
        OpenFolder next(::openat(to.folder.fd(), part.c_str(), flags));
        if (next.fd() < 0 && make && errno == ENOENT && !is_link(to.folder.fd(), part) &&
            ::mkdirat(to.folder.fd(), part.c_str(), 0777) == 0)
            next = OpenFolder(::openat(to.folder.fd(), part.c_str(), flags));
        if (next.fd() < 0) {
            to.problem = errno;
            if (to.in_repository && is_link(to.folder.fd(), part)) to.link = below.substr(0, end);
            return to;
        }
        to.folder = std::move(next);
        struct stat here {};
        if (::faccessat(to.folder.fd(), ".git", F_OK, AT_SYMLINK_NOFOLLOW) == 0 || (errno != ENOENT && errno != EACCES))
            to.in_repository = true;
        if (::fstat(to.folder.fd(), &here) != 0 ||
            (has_root && here.st_dev == root.st_dev && here.st_ino == root.st_ino))
            to.in_repository = true;
        at = end;
    }
    if (bad || to.folder.fd() < 0) to.problem = bad ? bad.value() : errno;
    if (to.problem == 0 && to.in_repository && is_link(to.folder.fd(), to.name)) {
        to.problem = ELOOP;
        to.link = path;
    }
    return to;
}

// A device, a pipe: there is nothing to replace, and it must stay what it is.
int write_in_place(int folder, const std::string& name, std::string_view text) {
    const int fd = ::openat(folder, name.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return fd < 0 ? errno : write_and_close(fd, text);
}

// A new file beside the old one takes its name once it is whole.
int replace(int folder, const std::string& name, std::string_view text, const struct stat* old) {
    const std::string fresh = name + ".lockstep-" + std::to_string(::getpid());
    unfinished().add_file(folder, fresh);
    int problem = 0;
    const int fd = ::openat(folder, fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0) {
        problem = errno;
    } else {
        if (old && ::fchmod(fd, old->st_mode & 07777U) != 0) problem = errno;
        if (const int bad = write_and_close(fd, text); problem == 0) problem = bad;
        if (problem == 0 && ::renameat(folder, fresh.c_str(), folder, name.c_str()) != 0) problem = errno;
        if (problem != 0) ::unlinkat(folder, fresh.c_str(), 0);
    }
    unfinished().remove_file(folder, fresh);
    return problem;
}

int write_to(const Destination& to, const std::string& text) {
    const int folder = to.folder.fd();
    struct stat found {};
    const int follow = to.in_repository ? AT_SYMLINK_NOFOLLOW : 0;
    if (::fstatat(folder, to.name.c_str(), &found, follow) != 0)
        return errno == ENOENT ? replace(folder, to.name, text, nullptr) : errno;
    if (S_ISDIR(found.st_mode)) return EISDIR;
    if (!S_ISREG(found.st_mode)) return write_in_place(folder, to.name, text);
    // a file that is kept from writing is not replaced either
    if (::faccessat(folder, to.name.c_str(), W_OK, AT_EACCESS) != 0) return errno;
    return replace(folder, to.name, text, &found);
}

std::string_view hint_for(int problem) {
    switch (problem) {
    case ENOENT:
    case ENOTDIR:
        return "the folder must be there already";
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return "make room, or write it elsewhere; what was there before is unchanged";
    case EISDIR:
        return "name a file in that folder";
    default:
        return "is the folder there, and writable?";
    }
}

Error link_in_repository(const Destination& to) {
    return {"this is a link in a repository: the report would go where it leads",
            to.link,
            {0, 0},
            "name a file that is reached without it, best outside of the repository"};
}

} // namespace

Result<std::optional<std::string>> read_own_file(const std::string& path) {
    Tree place;
    place.root = path.find('/') == std::string::npos ? "." : path.substr(0, path.rfind('/') + 1);
    File file;
    file.path = file_name_of(path);
    read_file(place, file);
    if (file.state == FileState::read) return std::optional(file.text);
    if (file.state == FileState::unreadable && file.why == std::strerror(ENOENT)) return std::optional<std::string>();
    return Error{"cannot read the file: " + why_unread(file), path, {0, 0}, {}};
}

std::string why_unread(const File& file) {
    if (file.state == FileState::oversize) return "it has more than 16 MiB";
    return file.why.empty() ? "it is not text" : file.why;
}

std::optional<Error> write_file(const std::string& path, const std::string& text, const std::string& linted) {
    Destination to = destination_of(path, linted);
    std::error_code bad;
    if (to.problem == 0 && !to.in_repository && is_link(to.folder.fd(), to.name)) { // the user's own: it stays a link
        const std::filesystem::path target = std::filesystem::canonical(path, bad);
        if (!bad && std::filesystem::is_regular_file(target, bad)) to = destination_of(target.string(), linted);
    }
    if (!to.link.empty()) return link_in_repository(to);
    const int problem = to.problem != 0 ? to.problem : write_to(to, text);
    if (problem == 0) return std::nullopt;
    return Error{
        "cannot write the file: " + std::string(std::strerror(problem)), path, {0, 0}, std::string(hint_for(problem))};
}

std::optional<Error> make_folder(const std::string& path, const std::string& linted) {
    const Destination to = destination_of(path + "/", linted, true);
    if (!to.link.empty()) return link_in_repository(to);
    if (to.problem == 0) return std::nullopt;
    return Error{"cannot make the folder: " + std::string(std::strerror(to.problem)), path};
}

} // namespace lockstep

// Reading and writing by name.
#include "cli/files.h"
#include "tree/tree.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

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

// A device, a pipe: there is nothing to replace, and it must stay what it is.
int write_in_place(const std::string& path, std::string_view text) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return fd < 0 ? errno : write_and_close(fd, text);
}

// A new file beside the old one takes its name once it is whole.
int replace(const std::string& path, std::string_view text, const struct stat* old) {
    const std::string fresh = path + ".lockstep-" + std::to_string(::getpid());
    const int fd = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) return errno;
    int problem = old && ::fchmod(fd, old->st_mode & 07777U) != 0 ? errno : 0;
    if (const int bad = write_and_close(fd, text); problem == 0) problem = bad;
    if (problem == 0 && std::rename(fresh.c_str(), path.c_str()) != 0) problem = errno;
    if (problem != 0) ::unlink(fresh.c_str());
    return problem;
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
    return file.why.empty() ? "it is no text" : file.why;
}

std::optional<Error> write_file(const std::string& path, const std::string& text) {
    struct stat found {};
    const bool there = ::stat(path.c_str(), &found) == 0;
    int problem = 0;
    if (!there) {
        problem = replace(path, text, nullptr);
    } else if (S_ISDIR(found.st_mode)) {
        problem = EISDIR;
    } else if (!S_ISREG(found.st_mode)) {
        problem = write_in_place(path, text);
    } else if (::access(path.c_str(), W_OK) != 0) {
        problem = errno; // a file that is kept from writing is not replaced either
    } else {
        std::error_code bad;
        const std::filesystem::path target = std::filesystem::canonical(path, bad); // a link stays a link
        problem = replace(bad ? path : target.string(), text, &found);
    }
    if (problem == 0) return std::nullopt;
    return Error{
        "cannot write the file: " + std::string(std::strerror(problem)), path, {0, 0}, std::string(hint_for(problem))};
}

} // namespace lockstep

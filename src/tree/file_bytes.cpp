// Opens without following or blocking, looks at what was opened, then reads to the end, whatever size was announced.
#include "tree/file_bytes.h"
#include "tree/link.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lockstep {

namespace {

FileBytes failed(std::string why) {
    return {FileBytes::Outcome::failed, {}, 0, std::move(why), 0};
}

FileBytes failed(int error) {
    return {FileBytes::Outcome::failed, {}, 0, std::strerror(error), error};
}

FileBytes read_open_file(int fd, std::uint64_t limit) {
    struct stat status = {};
    if (::fstat(fd, &status) != 0) return failed(errno);
    if (S_ISDIR(status.st_mode)) return failed("is a folder");
    if (!S_ISREG(status.st_mode)) return failed("is a " + std::string(special_name(status.st_mode)));
    auto size = static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0));
    if (size > limit) return {FileBytes::Outcome::oversize, {}, size, {}, 0};

    // One byte more than announced, so that the end is seen without growing the buffer.
    std::string text(static_cast<std::size_t>(size) + 1, '\0');
    std::size_t used = 0;
    for (;;) {
        ssize_t got = ::read(fd, text.data() + used, text.size() - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return failed(errno);
        used += static_cast<std::size_t>(got);
        if (got == 0 || (used == size && used < text.size())) break; // asked for more than announced, and got that
        if (used > limit) return {FileBytes::Outcome::oversize, {}, used, {}, 0};
        if (used == text.size()) text.resize(static_cast<std::size_t>(std::min<std::uint64_t>(2 * used, limit + 1)));
    }
    text.resize(used);
    return {FileBytes::Outcome::read, std::move(text), used, {}, 0};
}

} // namespace

bool is_failure_of_the_run(int error) {
    return error != 0 && error != EACCES && error != EPERM && error != ENAMETOOLONG;
}

FileBytes read_file_bytes(int directory, const std::string& path, std::uint64_t limit) {
    int fd = -1;
    do
        fd = ::openat(directory, path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    while (fd < 0 && errno == EINTR);
    if (fd < 0) {
        if (errno == ELOOP) return failed("is a link");
        if (errno == ENXIO) return failed("is a socket"); // what opening one says
        return failed(errno);
    }
    FileBytes bytes = read_open_file(fd, limit);
    ::close(fd);
    return bytes;
}

} // namespace lockstep

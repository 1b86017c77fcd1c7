// A folder's descriptor that is closed with its scope.
#pragma once
#include <unistd.h>

namespace lockstep {

struct OpenFolder {
    int fd = -1;
    explicit OpenFolder(int opened) : fd(opened) {}
    OpenFolder(const OpenFolder&) = delete;
    OpenFolder& operator=(const OpenFolder&) = delete;
    ~OpenFolder() {
        if (fd >= 0) ::close(fd);
    }
};

} // namespace lockstep

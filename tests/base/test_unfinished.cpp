// What a run leaves behind when it is ended: nothing.
#include "base/unfinished.h"
#include <csignal>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace lockstep;

TEST_CASE("files that are half written are removed, finished ones stay, and children end") {
    std::string folder = "/tmp/lockstep-test-XXXXXX";
    REQUIRE(::mkdtemp(folder.data()));
    const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY);
    REQUIRE(fd >= 0);
    for (const char* name : {"half", "whole"})
        ::close(::openat(fd, name, O_WRONLY | O_CREAT, 0600));
    const pid_t child = ::fork();
    if (child == 0) {
        ::pause();
        ::_exit(0);
    }
    REQUIRE(child > 0);

    Unfinished unfinished;
    unfinished.add_file(fd, "half");
    unfinished.add_file(fd, "whole");
    unfinished.remove_file(fd, "whole");
    unfinished.add_child(child);
    unfinished.end_all(true);
    CHECK(::faccessat(fd, "half", F_OK, 0) != 0);
    CHECK(::faccessat(fd, "whole", F_OK, 0) == 0);
    int status = 0;
    CHECK(::waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    ::unlinkat(fd, "whole", 0);
    ::close(fd);
    ::rmdir(folder.c_str());
}

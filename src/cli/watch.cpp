// One thread waits for signals, and looks at the clock and the memory meanwhile.
#include "cli/watch.h"
#include "base/unfinished.h"
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <new>
#include <pthread.h>
#include <string>
#include <sys/resource.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace lockstep {
namespace {

constexpr long look_every_ms = 10;

// Bytes that the process has in memory; 0 when the system does not tell.
std::uint64_t memory_in_use() {
    const int fd = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    char text[128] = {};
    const ssize_t got = ::read(fd, text, sizeof text - 1);
    ::close(fd);
    if (got <= 0) return 0;
    char* end = nullptr;
    std::strtoull(text, &end, 10); // all that is mapped
    return std::strtoull(end, nullptr, 10) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

[[noreturn]] void end_by(int signal_number) {
    unfinished().end_all(true);
    std::signal(signal_number, SIG_DFL);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal_number);
    ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
    std::raise(signal_number);
    ::_exit(2);
}

[[noreturn]] void say_and_exit(const char* message) noexcept {
    for (std::size_t left = std::strlen(message); left > 0;) {
        const ssize_t written = ::write(STDERR_FILENO, message, left);
        if (written <= 0) break;
        message += written;
        left -= static_cast<std::size_t>(written);
    }
    ::_exit(2);
}

[[noreturn]] void end_with(const std::string& message) {
    unfinished().end_all(true);
    say_and_exit(message.c_str());
}

void watch(RunBounds bounds, sigset_t signals) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::seconds(bounds.seconds);
    const std::uint64_t most = static_cast<std::uint64_t>(bounds.megabytes) << 20;
    const timespec pause = {0, look_every_ms * 1'000'000};
    for (;;) {
        const int caught = ::sigtimedwait(&signals, nullptr, &pause);
        if (caught > 0) end_by(caught);
        if (most != 0 && memory_in_use() > most)
            end_with("error: the run needs more than " + std::to_string(bounds.megabytes) +
                     " MB of memory and was ended\n  hint: --memory MEGABYTES raises that, 0 takes it away\n");
        if (bounds.seconds != 0 && Clock::now() >= end)
            end_with("error: the run took more than " + std::to_string(bounds.seconds) +
                     " s and was ended\n  hint: --timeout SECONDS raises that, 0 takes it away\n");
    }
}

[[noreturn]] void on_terminate() noexcept {
    if (const auto problem = std::current_exception()) {
        try {
            std::rethrow_exception(problem);
        } catch (const std::bad_alloc&) {
            end_run("error: there is no memory left\n");
        } catch (...) {
        }
    }
    end_run("error: lockstep failed where it should not\n  hint: this is a bug of lockstep\n");
}

void bound_by_the_system(RunBounds bounds) {
    if (bounds.seconds != 0) {
        std::signal(SIGALRM,
                    [](int) { end_run("error: the run took more time than --timeout gives it and was ended\n"); });
        ::alarm(bounds.seconds);
    }
    if (bounds.megabytes != 0) {
        const auto most = static_cast<rlim_t>(bounds.megabytes) << 20;
        const rlimit both = {most, most};
        ::setrlimit(RLIMIT_DATA, &both); // then there is no memory left
    }
}

} // namespace

void prepare_process() {
    std::set_terminate(on_terminate);
    // A report that cannot be written is an error with a reason, not a death by signal.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    // With stdout closed the next file opened would be stdout. This keeps the number taken, and writing to it fails.
    for (int fd = ::open("/dev/null", O_RDONLY); fd >= 0; fd = ::open("/dev/null", O_RDONLY))
        if (fd > STDERR_FILENO) {
            ::close(fd);
            break;
        }
}

void start_watch(RunBounds bounds) {
    sigset_t signals;
    sigemptyset(&signals);
    for (int one : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction now = {};
        // Who starts a program with a signal ignored (nohup) wants it to stay so.
        if (::sigaction(one, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) sigaddset(&signals, one);
    }
    sigset_t before;
    ::pthread_sigmask(SIG_BLOCK, &signals, &before); // threads that come inherit it
    try {
        std::thread(watch, bounds, signals).detach();
    } catch (const std::system_error&) {
        // A system that gives no thread more. The run would go on without bounds: those of the system take over.
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        bound_by_the_system(bounds);
    }
}

void end_run(const char* message) noexcept {
    unfinished().end_all(false);
    say_and_exit(message);
}

} // namespace lockstep

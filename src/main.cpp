// Reads as the list of what the program does: options, the command, what it prints, the exit code.
#include "cli/commands.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>

using namespace lockstep;

namespace {

Result<Printed> run_command(const Options& options) {
    switch (options.command) {
    case Command::check:
        return run_check(options, isatty(STDOUT_FILENO) != 0);
    case Command::index:
        return run_index(options);
    case Command::rules:
        return run_rules(options);
    case Command::explain:
        return run_explain(options);
    case Command::facts:
        return run_facts(options);
    case Command::pins:
        return run_pins(options);
    case Command::why:
        return run_why(options);
    case Command::graph:
        return run_graph(options);
    case Command::test:
        return run_test(options);
    case Command::init:
        return run_init(options);
    case Command::diff:
        return run_diff(options);
    case Command::build:
        return run_build(options);
    case Command::done:
        return Printed{0, options.output};
    }
    return Error{"no such command"};
}

// A report that cannot be written is an error with a reason, not a death by signal.
void take_write_errors() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    // With stdout closed the next file opened would be stdout. This keeps the number taken, and writing to it fails.
    for (int fd = open("/dev/null", O_RDONLY); fd >= 0; fd = open("/dev/null", O_RDONLY))
        if (fd > STDERR_FILENO) {
            close(fd);
            break;
        }
}

bool print(const std::string& text) {
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

// The run could not be trusted, whatever it found.
int fail(const Error& error) {
    std::fprintf(stderr, "%s\n", to_string(error).c_str());
    return 2;
}

// Ends a run that takes too long, wherever it is: what a stranger wrote must not hold a CI for hours. No step has to
// ask for the time, and git's processes end with their pipes.
void start_watchdog(unsigned seconds) {
    if (seconds == 0) return;
    const auto watch = [seconds] {
        std::this_thread::sleep_for(std::chrono::seconds(seconds));
        _exit(fail({"the run took more than " + std::to_string(seconds) + " s and was ended",
                    {},
                    {0, 0},
                    "--timeout SECONDS raises that, 0 takes it away"}));
    };
    try {
        std::thread(watch).detach();
    } catch (const std::system_error&) {
        // a system that gives no thread more: the run goes on without
    }
}

} // namespace

int main(int argc, char** argv) {
    take_write_errors();
    auto options = parse_options(argc, argv);
    if (!options) return fail(options.error());

    start_watchdog(options->timeout);
    auto printed = run_command(*options);
    if (!printed) return fail(printed.error());

    std::fwrite(printed->err.data(), 1, printed->err.size(), stderr);
    if (!print(printed->out)) return fail({"cannot write to stdout: " + std::string(std::strerror(errno))});
    std::exit(printed->exit_code); // leaves `printed` as it is: a million small pieces are not given back one by one
}

// Reads as the list of what the program does: options, the command, what it prints, the exit code.
#include "cli/commands.h"
#include "cli/watch.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
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
    case Command::charts:
        return run_charts(options);
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
        return Printed{0, PlainText::own(options.output)};
    }
    return Error{"no such command"};
}

bool print(const PlainText& text, std::FILE* to) {
    return std::fwrite(text.bytes().data(), 1, text.bytes().size(), to) == text.bytes().size() && std::fflush(to) == 0;
}

// The run could not be trusted, whatever it found.
int fail(const Error& error) {
    print(PlainText::lines(to_string(error) + "\n"), stderr);
    return 2;
}

int run(int argc, char** argv) {
    auto options = parse_options(argc, argv);
    if (!options) return fail(options.error());

    start_watch({options->timeout, options->memory});
    auto printed = run_command(*options);
    if (!printed) return fail(printed.error());

    print(printed->err, stderr);
    if (!print(printed->out, stdout)) return fail({"cannot write to stdout: " + std::string(std::strerror(errno))});
    std::exit(printed->exit_code); // leaves `printed` as it is: a million small pieces are not given back one by one
}

// Before main, where the constants of CLI11 take memory: that there is none is exit code 2 there too.
[[gnu::constructor(101)]] void before_main() {
    prepare_process();
}

} // namespace

// Every exception ends here, those of threads too (base/parallel.h brings them back).
int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::bad_alloc&) {
        end_run("error: there is no memory left\n  hint: `exclude:` in .lockstep.yaml leaves folders out\n");
    } catch (const std::exception& problem) {
        return fail({"lockstep failed: " + std::string(problem.what()), {}, {0, 0}, "this is a bug of lockstep"});
    } catch (...) {
        return fail({"lockstep failed, and nothing says why", {}, {0, 0}, "this is a bug of lockstep"});
    }
}

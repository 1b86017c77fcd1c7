// Reads as the list of what the program does: options, the command, what it prints, the exit code.
#include "cli/commands.h"
#include <cstdio>
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
    case Command::test:
        return run_test(options);
    case Command::init:
        return run_init(options);
    case Command::done:
        return Printed{0, options.output};
    }
    return Error{"no such command"};
}

// The run could not be trusted, whatever it found.
int fail(const Error& error) {
    std::fprintf(stderr, "%s\n", to_string(error).c_str());
    return 2;
}

} // namespace

int main(int argc, char** argv) {
    auto options = parse_options(argc, argv);
    if (!options) return fail(options.error());

    auto printed = run_command(*options);
    if (!printed) return fail(printed.error());

    std::fwrite(printed->err.data(), 1, printed->err.size(), stderr);
    const bool written = std::fwrite(printed->out.data(), 1, printed->out.size(), stdout) == printed->out.size();
    if (!written || std::fflush(stdout) != 0) return fail({"cannot write the report to stdout"});
    return printed->exit_code;
}

// What the option parser knows of itself, without the parser: the man page and the completions are made from it.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep {

struct OptionPage {
    std::vector<std::string> names;  // `--jobs`, `-j`; for a word without dashes its name alone
    std::string value;               // what it takes: FILE, FOLDER, RULE, REV…; empty for a flag
    std::vector<std::string> values; // all that it takes, where that is known
    std::string default_value;
    std::string says;
    bool positional = false;

    bool operator==(const OptionPage&) const = default;
};

struct CommandPage {
    std::string name;
    std::string says;
    std::vector<OptionPage> options;
};

struct CommandLine {
    std::string says;
    std::string version;
    std::vector<OptionPage> options; // of the program itself
    std::vector<CommandPage> commands;
    std::vector<std::pair<std::string, std::string>> formats; // name, what it is
    std::string examples;
};

std::string man_page(const CommandLine& line);                            // roff, for man(1)
std::string completions(const CommandLine& line, std::string_view shell); // bash, zsh or fish

} // namespace lockstep

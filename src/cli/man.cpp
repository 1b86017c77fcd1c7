// `lockstep man`: the command line as a page for man(1).
#include "base/text.h"
#include "cli/command_line.h"
#include <algorithm>

namespace lockstep {
namespace {

// A dash must stay one that can be searched and copied, and no line may be taken for a request.
std::string roff(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((i == 0 || text[i - 1] == '\n') && (text[i] == '.' || text[i] == '\'')) out += "\\&";
        if (text[i] == '\\')
            out += "\\e";
        else if (text[i] == '-')
            out += "\\-";
        else if (text[i] == '`')
            out += "\\(ga";
        else
            out += text[i];
    }
    return out;
}

std::string bold(std::string_view text) {
    return "\\fB" + roff(text) + "\\fR";
}
std::string italic(std::string_view text) {
    return "\\fI" + roff(text) + "\\fR";
}

std::string entry(const OptionPage& option) {
    std::string out = ".TP\n";
    std::vector<std::string> names;
    for (const auto& name : option.names)
        names.push_back(option.positional ? italic(name) : bold(name));
    out += joined(names, ", ");
    if (!option.value.empty() && !option.positional) out += " " + italic(option.value);
    out += "\n" + roff(option.says);
    if (!option.default_value.empty()) out += " (default: " + roff(option.default_value) + ")";
    out += ".\n";
    if (!option.values.empty() && option.value == "WORD") out += "One of " + roff(joined(option.values, ", ")) + ".\n";
    return out;
}

std::string command_section(const CommandPage& command, const CommandPage& first) {
    std::string usage = bold("lockstep " + command.name);
    for (const auto& option : command.options)
        if (option.positional)
            usage += " " + italic(option.default_value.empty() ? option.names[0] : "[" + option.names[0] + "]");
    std::string out =
        ".SS " + roff(command.name) + "\n" + usage + " [" + italic("options") + "]\n.PP\n" + roff(command.says) + ".\n";
    std::vector<std::string> same; // told once, where the first command has it
    for (const auto& option : command.options) {
        if (&command == &first || std::find(first.options.begin(), first.options.end(), option) == first.options.end())
            out += entry(option);
        else if (!option.positional)
            same.push_back(bold(option.names.back()));
    }
    if (!same.empty()) out += ".PP\nAs with " + bold(first.name) + ": " + joined(same, ", ") + ".\n";
    return out;
}

} // namespace

std::string man_page(const CommandLine& line) {
    std::string out = ".\\\" Made by `lockstep man` from the option parser.\n";
    out += ".TH LOCKSTEP 1 \"\" \"lockstep " + line.version + "\" \"User Commands\"\n";
    out += ".SH NAME\nlockstep \\- offline linter for GitOps repositories\n";
    out += ".SH SYNOPSIS\n" + bold("lockstep") + " [" + italic("command") + "] [" + italic("path") + "] [" +
           italic("options") + "]\n";
    out += ".SH DESCRIPTION\n" + roff(line.says) +
           "\nIt reads the whole tree (cloud\\-init templates, Helm charts, values, Flux objects, kustomizations, "
           "scripts) and "
           "checks what must hold between files.\nIt needs no cluster, no network, no Helm and no Flux.\n";
    out += ".SH OPTIONS\n";
    for (const auto& option : line.options)
        out += entry(option);
    out += ".SH COMMANDS\nWithout a command, " + bold(line.commands.front().name) + " is meant.\n";
    for (const auto& command : line.commands)
        out += command_section(command, line.commands.front());
    out += ".SH FORMATS\n";
    for (const auto& [name, says] : line.formats)
        out += ".TP\n" + bold(name) + "\n" + roff(says) + "\n";
    out += ".SH EXIT STATUS\n.TP\n0\nNothing at or above " + bold("--fail-on") +
           ".\n.TP\n1\nFindings.\n.TP\n2\nThe run could not be trusted.\n";
    out += ".SH FILES\n.TP\n.I .lockstep.yaml\nThe configuration, at the root of the repository.\n"
           ".TP\n.I .lockstep/rules\nThe repository's own rules; their fixtures are in\n.IR .lockstep/fixtures .\n";
    out += ".SH EXAMPLES\n.nf\n" + roff(line.examples) + "\n.fi\n";
    return out;
}

} // namespace lockstep

// `lockstep completions SHELL`: the command line as a script that completes it. Rule ids are asked of the program when
// they are wanted, so that a repository's own rules are among them.
#include "base/text.h"
#include "cli/command_line.h"

namespace lockstep {
namespace {

constexpr std::string_view list_rules = "lockstep rules 2>/dev/null | cut -d ' ' -f 1";

std::vector<std::string> command_names(const CommandLine& line) {
    std::vector<std::string> names;
    for (const auto& command : line.commands)
        names.push_back(command.name);
    return names;
}

// Every option of one command by its names, separated by spaces.
std::string option_words(const std::vector<OptionPage>& options) {
    std::string out;
    for (const auto& option : options)
        if (!option.positional) out += (out.empty() ? "" : " ") + joined(option.names, " ");
    return out;
}

// Text with `\` before each character of `special`.
std::string escaped(std::string_view text, std::string_view special) {
    std::string out;
    for (char c : text) {
        if (special.find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

// In single quotes of a POSIX shell.
std::string quoted(std::string_view text) {
    std::string out = "'";
    for (char c : text)
        out += c == '\'' ? "'\\''" : std::string(1, c);
    return out + "'";
}

std::string bash_values(const OptionPage& option) {
    if (!option.values.empty()) return "_lockstep_words " + lockstep::quoted(joined(option.values, " "));
    if (option.value == "RULE") return "_lockstep_rules";
    if (option.value == "FOLDER") return "_lockstep_paths -d";
    if (option.value == "FILE") return "_lockstep_paths -f";
    if (option.value == "REV") return "_lockstep_words \"$(git for-each-ref --format='%(refname:short)' 2>/dev/null)\"";
    return ":"; // a number, a date, a name: nothing to offer
}

std::string bash(const CommandLine& line) {
    std::string out =
        "# bash completion of lockstep, made by `lockstep completions bash`.\n"
        "_lockstep_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\"); }\n"
        "_lockstep_paths() { compopt -o filenames; mapfile -t COMPREPLY < <(compgen \"$1\" -- \"$cur\"); }\n"
        "_lockstep_rules() { # the last of a list with commas\n"
        "    local before=\n"
        "    [[ $cur == *,* ]] && before=${cur%,*},\n"
        "    mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$(" +
        std::string(list_rules) +
        ")\" -- \"${cur##*,}\")\n"
        "}\n"
        "_lockstep() {\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1)) command=check\n"
        "    COMPREPLY=()\n"
        "    # bash takes `--format=json` for three words\n"
        "    if [[ $cur == = ]]; then cur=; elif [[ ${COMP_WORDS[at]} == = ]]; then at=$((at - 1)); fi\n"
        "    case ${COMP_WORDS[1]} in\n"
        "    " +
        joined(command_names(line), "|") +
        ") [ \"$COMP_CWORD\" -gt 1 ] && command=${COMP_WORDS[1]} ;;\n"
        "    esac\n"
        "    if [[ $at -gt 1 && ${COMP_WORDS[at - 1]} == --output && $at -lt $((COMP_CWORD - 1)) ]]; then\n"
        "        _lockstep_paths -f # --output FORMAT=FILE\n"
        "        return\n"
        "    fi\n"
        "    case \"$command ${COMP_WORDS[at]}\" in\n";
    for (const auto& command : line.commands)
        for (const auto& option : command.options) {
            if (option.positional || option.value.empty()) continue;
            std::vector<std::string> patterns;
            for (const auto& name : option.names)
                patterns.push_back(lockstep::quoted(command.name + " " + name));
            out += "    " + joined(patterns, " | ") + ") " + bash_values(option) + "; return ;;\n";
        }
    out += "    esac\n    if [[ $cur == -* ]]; then\n        case $command in\n";
    for (const auto& command : line.commands) {
        std::string words = option_words(command.options);
        if (&command == &line.commands.front()) words += " --version";
        out += "        " + command.name + ") _lockstep_words " + lockstep::quoted(words) + " ;;\n";
    }
    out += "        esac\n        return\n    fi\n    case $command:$COMP_CWORD in\n    *:1)\n"
           "        compopt -o filenames\n        mapfile -t COMPREPLY < <(compgen -W " +
           lockstep::quoted(joined(command_names(line), " ")) + " -- \"$cur\"; compgen -d -- \"$cur\")\n        ;;\n";
    for (const auto& command : line.commands)
        for (const auto& option : command.options)
            if (option.positional && option.value != "FOLDER")
                out += "    " + command.name + ":2) " + bash_values(option) + " ;;\n";
    return out + "    *) _lockstep_paths -d ;;\n    esac\n}\ncomplete -F _lockstep lockstep\n";
}

std::string zsh_values(const OptionPage& option) {
    if (option.names[0] == "--output") return "_lockstep_output";
    if (!option.values.empty()) return "(" + joined(option.values, " ") + ")";
    if (option.value == "RULE") return "_lockstep_rules";
    if (option.value == "FOLDER") return "_files -/";
    if (option.value == "FILE") return "_files";
    if (option.value == "REV") return "_lockstep_revisions";
    return " "; // asks for a value, offers none
}

std::string zsh_argument(const OptionPage& option, std::size_t position) {
    const std::string says = escaped(option.says, "[]:\\");
    if (option.positional)
        return " \\\n        " +
               lockstep::quoted(std::to_string(position) + ":" + option.names[0] + ":" + zsh_values(option));
    std::string out;
    for (const auto& name : option.names) { // `=`: the value is the next word or is behind `=`
        const bool is_long = name.starts_with("--");
        const std::string takes =
            option.value.empty() ? "" : ":" + escaped(option.value, ":[]") + ":" + zsh_values(option);
        out += " \\\n        " +
               lockstep::quoted("*" + name + (is_long && !takes.empty() ? "=" : "") + "[" + says + "]" + takes);
    }
    return out;
}

std::string zsh(const CommandLine& line) {
    std::vector<std::string> formats;
    for (const auto& [name, says] : line.formats)
        formats.push_back(name);
    std::string out =
        "#compdef lockstep\n# zsh completion of lockstep, made by `lockstep completions zsh`.\n"
        "_lockstep_rules() { _values -s , rule ${(f)\"$(" +
        std::string(list_rules) +
        ")\"} }\n"
        "_lockstep_revisions() { compadd -- ${(f)\"$(git for-each-ref --format='%(refname:short)' 2>/dev/null)\"} }\n"
        "_lockstep_output() { if compset -P '*='; then _files; else compadd -S = -- " +
        joined(formats, " ") +
        "; fi }\n"
        "_lockstep() {\n    local -a commands=(\n";
    for (const auto& command : line.commands)
        out += "        " + lockstep::quoted(escaped(command.name, ":") + ":" + escaped(command.says, ":\\")) + "\n";
    out += "    )\n    if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
           "        _describe command commands\n        _files -/\n        return\n    fi\n"
           "    local command=check\n"
           "    if (( ${commands[(I)${words[2]}:*]} )); then\n"
           "        command=$words[2]\n        shift words\n        (( CURRENT-- ))\n    fi\n"
           "    case $command in\n";
    for (const auto& command : line.commands) {
        out += "    " + command.name + ")\n        _arguments";
        std::size_t position = 0;
        for (const auto& option : command.options)
            out += zsh_argument(option, option.positional ? ++position : 0);
        if (&command == &line.commands.front())
            for (const auto& option : line.options)
                if (option.names.back() == "--version") out += zsh_argument(option, 0);
        out += "\n        ;;\n";
    }
    return out + "    esac\n}\nif [[ $funcstack[1] == _lockstep ]]; then _lockstep \"$@\"; else compdef _lockstep "
                 "lockstep; fi\n";
}

// In single quotes of fish, where a backslash counts.
std::string fish_quoted(std::string_view text) {
    return "'" + escaped(text, "'\\") + "'";
}

std::string fish_option(const OptionPage& option, const std::string& condition) {
    std::string out = "complete -c lockstep -n " + fish_quoted(condition);
    if (option.positional) return out + " -a " + fish_quoted("(" + std::string(list_rules) + ")") + "\n";
    for (const auto& name : option.names)
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (option.names[0] == "--output")
        out += " -r -a " + fish_quoted(joined(option.values, " "));
    else if (!option.values.empty())
        out += " -x -a " + fish_quoted(joined(option.values, " "));
    else if (option.value == "RULE")
        out += " -x -a " + fish_quoted("(__fish_append , (" + std::string(list_rules) + "))");
    else if (option.value == "FOLDER")
        out += " -x -a '(__fish_complete_directories)'";
    else if (option.value == "REV")
        out += " -x -a '(git for-each-ref --format=\"%(refname:short)\" 2>/dev/null)'";
    else if (!option.value.empty())
        out += option.value == "FILE" ? " -r" : " -x";
    return out + " -d " + fish_quoted(option.says) + "\n";
}

std::string fish(const CommandLine& line) {
    std::string out = "# fish completion of lockstep, made by `lockstep completions fish`.\n"
                      "function __lockstep_command --description 'Is this the command?'\n"
                      "    set -l words (commandline -opc)\n    set -l command check\n"
                      "    if set -q words[2]; and contains -- $words[2] " +
                      joined(command_names(line), " ") +
                      "\n        set command $words[2]\n    end\n    contains -- $command $argv\nend\n";
    const std::string first = "test (count (commandline -opc)) -eq 1";
    for (const auto& command : line.commands)
        out += "complete -c lockstep -n " + fish_quoted(first) + " -a " + command.name + " -d " +
               fish_quoted(command.says) + "\n";
    for (const auto& option : line.options)
        if (option.names.back() == "--version") out += fish_option(option, first);
    for (const auto& command : line.commands)
        for (const auto& option : command.options) {
            if (option.positional && option.value == "RULE")
                out += fish_option(option, "__lockstep_command " + command.name +
                                               "; and test (count (commandline -opc)) -eq 2");
            else if (option.positional && !option.values.empty())
                out += "complete -c lockstep -n " + fish_quoted("__lockstep_command " + command.name) + " -x -a " +
                       fish_quoted(joined(option.values, " ")) + "\n";
            else if (!option.positional)
                out += fish_option(option, "__lockstep_command " + command.name);
        }
    return out;
}

} // namespace

std::string completions(const CommandLine& line, std::string_view shell) {
    if (shell == "bash") return bash(line);
    return shell == "zsh" ? zsh(line) : fish(line);
}

} // namespace lockstep

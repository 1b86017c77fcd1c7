// The one reader of shell: scripts of .sh files, cloud-init entries, workflow steps and ConfigMaps become a flat list
// of simple commands with places. It never fails; what it cannot read gives fewer commands.
#pragma once
#include "index/placed_text.h"
#include <initializer_list>
#include <optional>

namespace lockstep {

inline constexpr std::uint32_t no_command = 0xffffffffU;

struct ShellVariable {
    std::uint32_t begin = 0, end = 0; // its bytes in the text: `$NAME`, or the value it was resolved to
    std::string name;
    bool quoted = false;
    bool resolved = false;
    Span origin = {}; // resolved: where the value is written
};

// Quotes are removed from the text; what a shell or a template would expand is in it as written.
struct ShellWord : PlacedText {
    Span span = {};           // in the file, quotes included
    bool known = true;        // the text is what the command gets
    bool opaque = false;      // holds a substitution, a `{{ }}` action or a `${ }` that no assignment can resolve
    bool splits = false;      // an unquoted expansion: may become several words, or none
    bool substituted = false; // holds `$(…)`: its commands are before this word's
    std::vector<ShellVariable> variables = {};
};

struct ShellAssignment {
    std::string name;
    ShellWord value;
    Span span = {};
};

struct ShellCommand {
    std::vector<ShellWord> words;             // no words: a plain `NAME=value` statement
    std::vector<ShellAssignment> assignments; // before the command, also by `env` and `sudo`, or made by `export`
    std::vector<ShellWord> outputs;           // files named behind `>` and `>>`
    std::vector<Span> heredocs;               // whole lines of the bodies; they are not commands
    Span span = {};
    std::uint32_t pipes_into = no_command; // its output feeds this command
    std::uint32_t inside = no_command;     // is in a substitution or a `sh -c` text of this command
    bool conditional = false;              // in if, for, while or case, or behind `&&` or `||`
};

// Commands in the order they run: those of `$(…)` before the command that holds them. Variables that a script assigns
// exactly once, unconditionally and from a known text, are resolved in what follows.
std::vector<ShellCommand> scan_shell(std::string_view file_text, Span slice, std::uint32_t indent = 0,
                                     NodeStyle style = NodeStyle::literal);
std::vector<ShellCommand> scan_shell(NodeRef scalar);

// The same in steps, for a script that is written in several places (the entries of a cloud-init runcmd).
void append_script(std::vector<ShellCommand>& commands, const PlacedText& script);
void append_words(std::vector<ShellCommand>& commands, std::vector<ShellWord> words); // `[helm, install, …]`
ShellWord word_from_scalar(NodeRef scalar); // no shell expands it: only template actions make it unknown
void resolve_variables(std::vector<ShellCommand>& commands, const std::vector<ShellAssignment>& environment = {});

// The word that is really run, behind `sudo`, `env X=y`, `exec`, `time`, `command`, `xargs`, `timeout 30`, `k3s`;
// words.size() when there is none.
std::size_t name_index(const ShellCommand& command);
std::string_view command_name(const ShellCommand& command); // without its folder; empty when not known
bool is_assignment(const ShellCommand& command);            // a plain statement, or `export`, `local`, `declare` …
const ShellAssignment* assignment_of(const ShellCommand& command, std::string_view name);

// `--version 1.2`, `--version=1.2`, `-n x`, `-nx`; the last one counts. An option without a value gives an empty word.
std::optional<ShellWord> option_value(const ShellCommand& command, std::initializer_list<std::string_view> names);
bool has_option(const ShellCommand& command, std::initializer_list<std::string_view> names);
// Words behind the command's name that are neither options nor their values. Which options take a value is known for
// kubectl, helm, flux, git, curl and wget.
std::vector<const ShellWord*> positional_words(const ShellCommand& command);
const ShellWord* script_argument(const ShellCommand& command); // the text given to `sh -c`

ShellWord word_part(const ShellWord& word, std::size_t begin, std::size_t end = std::string::npos);
Span place_in(const ShellWord& word, std::size_t begin, std::size_t end); // where the bytes are written
// Moves `NAME=value` words in front of the command that is really run to its assignments.
void lift_assignments(ShellCommand& command);

} // namespace lockstep

// Questions about one command: what it really runs, with which options and words.
#include "index/shell.h"
#include "yaml/data_table.h"
#include <algorithm>
#include <map>

namespace lockstep {
namespace {

// True when `list`, names between blanks, has the word.
bool lists(std::string_view list, std::string_view word) {
    if (word.empty()) return false;
    for (std::size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1)) {
        const bool starts = at == 0 || list[at - 1] == ' ';
        const bool ends = at + word.size() == list.size() || list[at + word.size()] == ' ';
        if (starts && ends) return true;
    }
    return false;
}

std::string_view base_name(std::string_view path) {
    return path.substr(path.find_last_of('/') + 1); // npos + 1 is 0
}

// A command that runs another: options of its own that take a value, and how many words are before the other's name.
struct Runner {
    std::string_view name, valued;
    std::size_t words = 0;
    bool assigns = false;
};

constexpr Runner runners[] = {
    {"sudo", "-u -g -h -p -C -D -R -T -U -r -t --user --group", 0, true},
    {"doas", "-u -C", 0, true},
    {"env", "-u -C --unset --chdir", 0, true},
    {"exec", "-a"},
    {"time", "-f -o"},
    {"command", ""},
    {"builtin", ""},
    {"nohup", ""},
    {"setsid", ""},
    {"xargs", "-I -n -P -L -d -a -s -E --max-args --max-procs --replace --delimiter --arg-file"},
    {"timeout", "-s -k --signal --kill-after", 1},
    {"nice", "-n --adjustment"},
    {"ionice", "-c -n"},
    {"stdbuf", "-i -o -e"},
    {"flock", "-w -E", 1},
    {"chroot", "", 1},
};

std::string_view valued_options(std::string_view tool) {
    static const std::map<std::string, std::string, std::less<>> options = [] {
        std::map<std::string, std::string, std::less<>> by_command;
        for (DataRow& row : data_table("command-options"))
            if (row.size() == 2) by_command.emplace(std::move(row[0]), std::move(row[1]));
        return by_command;
    }();
    const auto found = options.find(tool);
    return found == options.end() ? std::string_view() : std::string_view(found->second);
}

bool is_option(const ShellWord& word) {
    return word.text.size() > 1 && word.text[0] == '-';
}

std::size_t assigned_name(std::string_view text) { // length of NAME in `NAME=value`, 0 for anything else
    const std::size_t sign = text.find('=');
    if (sign == std::string_view::npos || sign == 0 || (text[0] >= '0' && text[0] <= '9')) return 0;
    const auto in_name = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(sign), in_name) ? sign : 0;
}

} // namespace

std::size_t name_index(const ShellCommand& command) {
    const std::vector<ShellWord>& words = command.words;
    std::size_t at = 0;
    while (at < words.size()) {
        const std::string_view name = words[at].known ? base_name(words[at].text) : std::string_view();
        if (name == "k3s" || name == "microk8s" || name == "minikube") {
            const std::string_view next = at + 1 < words.size() ? std::string_view(words[at + 1].text) : "";
            return lists("kubectl helm helm3 crictl ctr", next) ? at + 1 : at;
        }
        const auto* runner = std::find_if(std::begin(runners), std::end(runners),
                                          [&](const Runner& known) { return known.name == name; });
        if (runner == std::end(runners)) return at;
        std::size_t next = at + 1, left = runner->words;
        for (; next < words.size(); ++next) {
            const std::string_view text = words[next].text;
            if (name == "command" && (text == "-v" || text == "-V")) return at; // asks, does not run
            if (is_option(words[next]))
                next += lists(runner->valued, text) ? 1 : 0;
            else if (runner->assigns && assigned_name(text) > 0)
                continue;
            else if (left > 0)
                --left;
            else
                break;
        }
        if (next >= words.size()) return at;
        at = next;
    }
    return at;
}

std::string_view command_name(const ShellCommand& command) {
    const std::size_t at = name_index(command);
    return at < command.words.size() && command.words[at].known ? base_name(command.words[at].text)
                                                                : std::string_view();
}

bool is_assignment(const ShellCommand& command) {
    return command.words.empty() || lists("export local readonly declare typeset", command.words[0].text);
}

const ShellAssignment* assignment_of(const ShellCommand& command, std::string_view name) {
    const ShellAssignment* found = nullptr;
    for (const ShellAssignment& assignment : command.assignments)
        if (assignment.name == name) found = &assignment;
    return found;
}

void lift_assignments(ShellCommand& command) {
    if (command.words.empty()) return;
    const std::size_t end = is_assignment(command) ? command.words.size() : name_index(command);
    std::vector<ShellWord> kept;
    for (std::size_t k = 0; k < command.words.size(); ++k) {
        ShellWord& word = command.words[k];
        const std::size_t name = k > 0 && k < end ? assigned_name(word.text) : 0;
        if (name > 0)
            command.assignments.push_back({word.text.substr(0, name), word_part(word, name + 1), word.span});
        else
            kept.push_back(std::move(word));
    }
    command.words = std::move(kept);
}

std::optional<ShellWord> option_value(const ShellCommand& command, std::initializer_list<std::string_view> names) {
    std::optional<ShellWord> found;
    const std::vector<ShellWord>& words = command.words;
    for (std::size_t k = name_index(command) + 1; k < words.size() && words[k].text != "--"; ++k) {
        const std::string_view text = words[k].text;
        for (const std::string_view name : names) {
            if (!text.starts_with(name)) continue;
            const bool is_short = name.size() == 2;
            if (text.size() == name.size()) {
                found = k + 1 < words.size() ? words[k + 1] : word_part(words[k], text.size());
            } else if (text[name.size()] == '=') {
                found = word_part(words[k], name.size() + 1);
            } else if (is_short && name[1] != '-') {
                found = word_part(words[k], name.size());
            }
        }
    }
    return found;
}

bool has_option(const ShellCommand& command, std::initializer_list<std::string_view> names) {
    for (std::size_t k = name_index(command) + 1; k < command.words.size() && command.words[k].text != "--"; ++k) {
        const std::string_view text = command.words[k].text;
        for (const std::string_view name : names) {
            if (text == name) return true;
            if (text.starts_with(name) && text[name.size()] == '=') return text.substr(name.size() + 1) != "false";
        }
    }
    return false;
}

std::vector<const ShellWord*> positional_words(const ShellCommand& command) {
    const std::string_view valued = valued_options(command_name(command));
    std::vector<const ShellWord*> found;
    bool options = true;
    for (std::size_t k = name_index(command) + 1; k < command.words.size(); ++k) {
        const ShellWord& word = command.words[k];
        if (options && word.text == "--")
            options = false;
        else if (!options || !is_option(word))
            found.push_back(&word);
        else if (lists(valued, word.text))
            ++k;
    }
    return found;
}

const ShellWord* script_argument(const ShellCommand& command) {
    if (!lists("sh bash dash ash zsh ksh", command_name(command))) return nullptr;
    for (std::size_t k = name_index(command) + 1; k < command.words.size(); ++k) {
        const std::string_view text = command.words[k].text;
        if (text == "-o" || text == "+o" || text == "-O")
            ++k;
        else if (!text.starts_with('-') && !text.starts_with('+'))
            return nullptr;
        else if (!text.starts_with("--") && text.find('c') != std::string_view::npos) {
            // `-euo pipefail -c` and `-euc`: an `o` in the cluster takes the next word.
            if (text.back() == 'o') ++k;
            return k + 1 < command.words.size() ? &command.words[k + 1] : nullptr;
        } else if (!text.starts_with("--") && text.back() == 'o')
            ++k;
    }
    return nullptr;
}

ShellWord word_part(const ShellWord& word, std::size_t begin, std::size_t end) {
    end = std::min(end, word.text.size());
    begin = std::min(begin, end);
    ShellWord part;
    part.append(word, begin, end);
    part.span = place_in(word, begin, end);
    part.opaque = word.opaque; // what is opaque may be anywhere in the word
    part.splits = word.splits;
    part.substituted = word.substituted;
    bool open = part.opaque;
    for (ShellVariable variable : word.variables) {
        if (variable.begin < begin || variable.end > end) continue;
        variable.begin -= static_cast<std::uint32_t>(begin);
        variable.end -= static_cast<std::uint32_t>(begin);
        open |= !variable.resolved;
        part.variables.push_back(std::move(variable));
    }
    part.known = !open;
    return part;
}

Span place_in(const ShellWord& word, std::size_t begin, std::size_t end) {
    for (const ShellVariable& variable : word.variables)
        if (variable.resolved && variable.begin < std::max(end, begin + 1) && variable.end > begin)
            return variable.origin;
    if (word.text.empty()) return word.span;
    if (begin >= word.text.size()) return {word.span.end, word.span.end};
    return word.PlacedText::span(begin, end);
}

} // namespace lockstep

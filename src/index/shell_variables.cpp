// Variables of a script: one that is assigned exactly once, on every way and from a known text, has that text in all
// that follows.
#include "index/shell.h"
#include <algorithm>
#include <map>

namespace lockstep {
namespace {

using Values = std::map<std::string, ShellWord, std::less<>>;

bool has_blank(std::string_view text) {
    return text.find_first_of(" \t\n") != std::string_view::npos;
}

// Where the value is written: behind a chain of variables, the first of them.
Span written_at(const ShellWord& value) {
    return place_in(value, 0, value.text.size());
}

void resolve(ShellWord& word, const Values& values) {
    if (word.variables.empty()) return;
    ShellWord out;
    std::size_t from = 0;
    bool open = word.opaque;
    const auto copy_to = [&](std::size_t end) {
        for (; from < end; ++from)
            out.append(word.text[from], word.at(from));
    };
    for (ShellVariable variable : word.variables) {
        copy_to(variable.begin);
        const std::uint32_t file = word.at(variable.begin);
        const auto size = variable.end - variable.begin;
        variable.begin = static_cast<std::uint32_t>(out.text.size());
        const auto value = values.find(variable.name);
        if (!variable.resolved && value != values.end() && (variable.quoted || !has_blank(value->second.text))) {
            for (const char c : value->second.text)
                out.append(c, file);
            from += size;
            variable.resolved = true;
            variable.origin = written_at(value->second);
        } else {
            copy_to(from + size);
            open |= !variable.resolved;
        }
        variable.end = static_cast<std::uint32_t>(out.text.size());
        out.variables.push_back(std::move(variable));
    }
    copy_to(word.text.size());
    word.text = std::move(out.text);
    word.pieces = std::move(out.pieces);
    word.variables = std::move(out.variables);
    word.known = !open;
}

// An unquoted `$ARGS` that is a whole word becomes as many words as its value has.
bool split(const ShellWord& word, const Values& values, std::vector<ShellWord>& out) {
    if (word.opaque || word.variables.size() != 1) return false;
    const ShellVariable& variable = word.variables[0];
    if (variable.quoted || variable.resolved || variable.begin != 0 || variable.end != word.text.size()) return false;
    const auto found = values.find(variable.name);
    if (found == values.end() || !has_blank(found->second.text)) return false;
    const std::string_view value = found->second.text;
    for (std::size_t begin = 0; begin < value.size();) {
        const std::size_t end = std::min(value.find_first_of(" \t\n", begin), value.size());
        if (end > begin) {
            ShellWord part = word_part(found->second, begin, end);
            const Span origin = part.span;
            part.span = word.span;
            part.variables = {{0, static_cast<std::uint32_t>(part.text.size()), variable.name, false, true, origin}};
            out.push_back(std::move(part));
        }
        begin = end + 1;
    }
    return true;
}

struct Count {
    unsigned times = 0;
    bool certain = true;
};

std::map<std::string, Count, std::less<>> count_assignments(const std::vector<ShellCommand>& commands) {
    std::map<std::string, Count, std::less<>> counts;
    for (const ShellCommand& command : commands) {
        if (is_assignment(command)) {
            for (const ShellAssignment& assignment : command.assignments) {
                Count& count = counts[assignment.name];
                ++count.times;
                count.certain &= !command.conditional;
            }
            continue;
        }
        const std::string_view name = command_name(command);
        if (name != "read" && name != "mapfile" && name != "readarray" && name != "getopts" && name != "unset")
            continue;
        for (const ShellWord& word : command.words)
            counts[word.text].certain = false;
    }
    return counts;
}

} // namespace

void resolve_variables(std::vector<ShellCommand>& commands, const std::vector<ShellAssignment>& environment) {
    const auto counts = count_assignments(commands);
    const auto settled = [&](const std::string& name) {
        const auto count = counts.find(name);
        return count == counts.end() || (count->second.certain && count->second.times < 2);
    };
    Values values;
    for (const ShellAssignment& given : environment)
        if (given.value.known && settled(given.name)) values[given.name] = given.value;
    for (ShellCommand& command : commands) {
        std::vector<ShellWord> words;
        for (ShellWord& word : command.words) {
            if (split(word, values, words)) continue;
            resolve(word, values);
            words.push_back(std::move(word));
        }
        command.words = std::move(words);
        for (ShellWord& output : command.outputs)
            resolve(output, values);
        for (ShellAssignment& assignment : command.assignments) {
            resolve(assignment.value, values);
            if (!is_assignment(command)) continue;
            if (assignment.value.known && settled(assignment.name))
                values[assignment.name] = assignment.value;
            else
                values.erase(assignment.name);
        }
    }
}

ShellWord word_from_scalar(NodeRef scalar) {
    ShellWord word;
    static_cast<PlacedText&>(word) = placed_scalar(scalar);
    word.span = scalar.span();
    const auto holds = [&](std::string_view text) { return word.text.find(text) != std::string::npos; };
    word.opaque = holds("${") || holds("{{");
    word.known = !word.opaque;
    return word;
}

} // namespace lockstep

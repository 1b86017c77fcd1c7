// Variables of a script: one that is assigned exactly once, on every way and from a known text, has that text in all
// that follows.
#include "index/shell.h"
#include <algorithm>
#include <map>

namespace lockstep {
namespace {

constexpr std::size_t value_limit = 1000; // a longer value is no version and no name
constexpr std::size_t total_limit =
    std::size_t{256} * 1024; // bytes put in for variables in one script: `B=$A$A` doubles

struct Values {
    std::map<std::string, ShellWord, std::less<>> by_name;
    std::size_t left = total_limit;

    const ShellWord* take(const std::string& name) {
        const auto found = by_name.find(name);
        if (found == by_name.end() || found->second.text.size() > std::min(left, value_limit)) return nullptr;
        left -= found->second.text.size();
        return &found->second;
    }
};

bool has_blank(std::string_view text) {
    return text.find_first_of(" \t\n") != std::string_view::npos;
}

// Where the value is written: behind a chain of variables, the first of them.
Span written_at(const ShellWord& value) {
    return place_in(value, 0, value.text.size());
}

void resolve(ShellWord& word, Values& values) {
    if (word.variables.empty()) return;
    ShellWord out;
    std::size_t from = 0;
    bool open = word.opaque;
    const auto copy_to = [&](std::size_t end) {
        out.append(word, from, end);
        from = std::max(from, end);
    };
    for (ShellVariable variable : word.variables) {
        copy_to(variable.begin);
        const std::uint32_t file = word.at(variable.begin);
        const auto size = variable.end - variable.begin;
        variable.begin = static_cast<std::uint32_t>(out.text.size());
        const ShellWord* value = variable.resolved ? nullptr : values.take(variable.name);
        if (value && (variable.quoted || !has_blank(value->text))) {
            for (const char c : value->text)
                out.append(c, file);
            from += size;
            variable.resolved = true;
            variable.origin = written_at(*value);
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
bool split(const ShellWord& word, Values& values, std::vector<ShellWord>& out) {
    if (word.opaque || word.variables.size() != 1) return false;
    const ShellVariable& variable = word.variables[0];
    if (variable.quoted || variable.resolved || variable.begin != 0 || variable.end != word.text.size()) return false;
    const ShellWord* found = values.take(variable.name);
    if (!found || !has_blank(found->text)) return false;
    const std::string_view value = found->text;
    for (std::size_t begin = 0; begin < value.size();) {
        const std::size_t end = std::min(value.find_first_of(" \t\n", begin), value.size());
        if (end > begin) {
            ShellWord part = word_part(*found, begin, end);
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
        if (given.value.known && settled(given.name)) values.by_name[given.name] = given.value;
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
                values.by_name[assignment.name] = assignment.value;
            else
                values.by_name.erase(assignment.name);
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

// Lists and commands of a script: separators, pipes, keywords, heredocs, redirections and assignments.
#include "index/shell_scanner.h"
#include <algorithm>

namespace lockstep {

constexpr unsigned inner_script_depth = 10; // `sh -c` texts are read again: few levels of them

void ShellScanner::skip_blanks() {
    while (more() && (is_blank(peek()) || continued_line()))
        i_ += continued_line() ? 2 : 1;
}

void ShellScanner::newline() {
    ++i_;
    for (const Heredoc& heredoc : pending_) {
        const std::size_t body = i_;
        std::size_t end = i_;
        while (more()) {
            const std::size_t begin = i_;
            skip_to('\n');
            std::string_view line = s_.substr(begin, i_ - begin);
            if (heredoc.tabs) line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
            i_ = std::min(i_ + 1, s_.size());
            end = begin;
            if (line == heredoc.end) break;
            end = i_;
        }
        // From the start of the line in the file: its indentation belongs to the slice.
        if (heredoc.command < out_.size() && end > body)
            out_[heredoc.command].heredocs.push_back({in_.at(body - 1) + 1, in_.at(end - 1) + 1});
    }
    pending_.clear();
}

void ShellScanner::nested(char close) {
    if (depth_ < depth_limit) {
        ++depth_;
        list(close);
        --depth_;
        return;
    }
    for (unsigned open = 1; more() && open > 0; ++i_) {
        if (peek() == close)
            --open;
        else if (peek() == '(' && close == ')')
            ++open;
    }
}

void ShellScanner::substitution(ShellWord& word, char close) {
    word.substituted = true;
    const std::size_t known = out_.size();
    const bool outer = muted_;
    muted_ |= expanded_;
    nested(close);
    muted_ = outer;
    if (expanded_) out_.resize(known);
}

void ShellScanner::arithmetic() { // at the first `(` of `((`
    unsigned open = 0;
    do {
        if (peek() == '(') ++open;
        if (peek() == ')') --open;
        ++i_;
    } while (more() && open > 0);
}

void ShellScanner::list(char close) {
    const char outer_close = close_;
    const unsigned outer_branches = branches_;
    const std::size_t outer_base = case_base_;
    close_ = close;
    case_base_ = cases_.size();
    std::uint32_t last = no_command, from = no_command; // the command before; the one that pipes into the next
    bool conditional = false;
    const auto link = [&](std::uint32_t first, std::uint32_t final) {
        if (from != no_command) out_[from].pipes_into = first;
        from = no_command;
        last = final;
        conditional = false;
    };
    while (more()) {
        const char c = peek();
        if (cases_.size() > case_base_ && cases_.back() == Case::pattern) {
            case_pattern();
        } else if (close != '\0' && c == close) {
            ++i_;
            break;
        } else if (is_blank(c) || continued_line()) {
            skip_blanks();
        } else if (c == '\n') {
            newline();
        } else if (c == '#') {
            skip_to('\n');
        } else if (c == ';') {
            ++i_;
            if ((peek() == ';' || peek() == '&') && cases_.size() > case_base_) {
                cases_.back() = Case::pattern;
                while (peek() == ';' || peek() == '&')
                    ++i_;
            }
        } else if ((c == '&' || c == '|') && peek(1) == c) {
            conditional = true;
            i_ += 2;
        } else if (c == '|') {
            i_ += peek(1) == '&' ? 2 : 1;
            from = last;
        } else if (c == '&' && peek(1) != '>') {
            ++i_;
        } else if (c == '(' && peek(1) == '(') {
            arithmetic();
        } else if (c == '(') {
            ++i_;
            const std::size_t first = out_.size();
            nested(')');
            if (out_.size() > first)
                link(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(out_.size() - 1));
        } else if (c == ')' || directive()) {
            i_ += c == ')' ? 1 : 0;
        } else {
            const std::size_t before = i_;
            const bool piped = from != no_command && out_[from].conditional;
            const std::uint32_t done = command(conditional || piped);
            if (done != no_command) link(done, done);
            if (i_ == before) ++i_;
        }
    }
    close_ = outer_close;
    branches_ = outer_branches;
    cases_.resize(case_base_);
    case_base_ = outer_base;
}

void ShellScanner::case_pattern() {
    while (more() && (is_blank(peek()) || peek() == '\n' || peek() == '('))
        ++i_;
    if (peek() == '#') return skip_to('\n');
    if (starts("esac") && (i_ + 4 >= s_.size() || ends_word(s_[i_ + 4]))) {
        i_ += 4;
        cases_.pop_back();
        if (branches_ > 0) --branches_;
        return;
    }
    while (more() && peek() != ')') {
        const char c = s_[i_++];
        if (c == '\\' && more()) ++i_;
        if (c == '\'' || c == '"') {
            skip_to(c);
            if (more()) ++i_;
        }
    }
    if (more()) ++i_;
    cases_.back() = Case::body;
}

std::uint32_t ShellScanner::command(bool conditional) {
    ShellCommand command;
    const std::size_t begin = i_, first_inner = out_.size();
    std::size_t end = i_;
    command.conditional = conditional || branches_ > 0;
    while (more()) {
        skip_blanks();
        const char c = peek();
        if (!more() || ends_command(c)) break;
        if (c == '#') {
            skip_to('\n');
            break;
        }
        const std::size_t at = i_;
        if (redirect(command)) continue;
        if (c == '(') { // `name()` opens a function; anything else is not shell
            ++i_;
            skip_blanks();
            if (peek() == ')' && command.words.size() == 1 && command.assignments.empty()) {
                ++i_;
                return no_command;
            }
            continue;
        }
        if (!assignment(command)) {
            command.words.push_back(word());
            const std::string_view raw = s_.substr(at, i_ - at);
            const bool first = command.words.size() == 1 && command.assignments.empty();
            if (first && raw == command.words[0].text && keyword(raw)) return no_command;
            if (first && raw == "[[") test_words(command);
        }
        if (i_ == at) ++i_;
        end = i_;
    }
    if (command.words.empty() && command.assignments.empty()) return no_command;
    command.span = in_.span(begin, end);
    return push(std::move(command), first_inner);
}

std::uint32_t ShellScanner::push(ShellCommand command, std::size_t first_inner) {
    lift_assignments(command);
    const auto index = static_cast<std::uint32_t>(out_.size());
    const auto adopt = [&](std::size_t from) {
        for (std::size_t k = from; k < out_.size(); ++k)
            if (k != index && out_[k].inside == no_command) out_[k].inside = index;
    };
    adopt(first_inner);
    for (Heredoc& heredoc : pending_)
        if (heredoc.command == no_command) heredoc.command = index;
    out_.push_back(std::move(command));
    if (const ShellWord* script = script_argument(out_.back());
        script && !muted_ && depth_ + inner_script_depth <= depth_limit) {
        const PlacedText text = *script; // a copy: the list of commands grows under it
        ShellScanner(text, out_, depth_ + inner_script_depth, script->substituted).run();
        adopt(index + 1);
    }
    return index;
}

bool ShellScanner::keyword(std::string_view text) {
    constexpr std::string_view plain[] = {"then", "do", "else", "elif", "!", "{", "}"};
    if (std::find(std::begin(plain), std::end(plain), text) != std::end(plain)) return true;
    if (text == "if" || text == "while" || text == "until") {
        ++branches_;
    } else if (text == "fi" || text == "done" || text == "esac") {
        if (branches_ > 0) --branches_;
        if (text == "esac" && cases_.size() > case_base_) cases_.pop_back();
    } else if (text == "for" || text == "select") {
        ++branches_;
        for_header();
    } else if (text == "case") {
        ++branches_;
        skip_blanks();
        word();
        while (more() && (is_blank(peek()) || peek() == '\n' || continued_line()))
            ++i_;
        if (starts("in") && (i_ + 2 >= s_.size() || ends_word(s_[i_ + 2]))) {
            i_ += 2;
            cases_.push_back(Case::pattern);
        }
    } else if (text == "function") {
        skip_blanks();
        word();
        skip_blanks();
        if (starts("()")) i_ += 2;
    } else {
        return false;
    }
    return true;
}

// A loop's variable takes many values: an assignment of something unknown.
void ShellScanner::for_header() {
    skip_blanks();
    if (starts("((")) return arithmetic();
    const std::size_t begin = i_;
    ShellCommand header;
    header.assignments.push_back({word().text, {}, in_.span(begin, i_)});
    header.assignments[0].value.known = false;
    header.assignments[0].value.opaque = true;
    header.assignments[0].value.span = header.span = in_.span(begin, i_);
    header.conditional = true;
    while (more() && !ends_command(peek())) {
        const std::size_t at = i_;
        skip_blanks();
        word();
        if (i_ == at) ++i_;
    }
    out_.push_back(std::move(header));
}

bool ShellScanner::redirect(ShellCommand& command) {
    std::size_t at = i_ + (peek() == '&' ? 1 : 0);
    while (at < s_.size() && is_digit(s_[at]))
        ++at;
    if (at >= s_.size() || (s_[at] != '<' && s_[at] != '>')) return false;
    const std::size_t begin = i_;
    const bool writes = s_[at] == '>';
    i_ = at + 1;
    if (peek() == '(') { // `<(…)` is a word whose text nobody knows
        ++i_;
        ShellWord word;
        substitution(word, ')');
        take_opaque(word, begin, true);
        word.known = false;
        word.span = in_.span(begin, i_);
        command.words.push_back(std::move(word));
        return true;
    }
    const bool heredoc = !writes && peek() == '<' && peek(1) != '<';
    const bool tabs = heredoc && peek(1) == '-';
    bool descriptor = false;
    while (peek() == '<' || peek() == '>' || peek() == '&' || peek() == '|')
        descriptor |= s_[i_++] == '&';
    if (tabs) ++i_;
    skip_blanks();
    ShellWord target = word();
    if (heredoc)
        pending_.push_back({target.text, tabs, no_command});
    else if (writes && !descriptor && !target.text.empty())
        command.outputs.push_back(std::move(target));
    return true;
}

bool ShellScanner::assignment(ShellCommand& command) {
    if (!is_assignment(command) || !starts_name(peek())) return false;
    std::size_t at = i_;
    while (at < s_.size() && in_name(s_[at]))
        ++at;
    const std::string_view name = s_.substr(i_, at - i_);
    bool whole = true; // sets all of the variable, not an item or an addition
    if (at < s_.size() && s_[at] == '[') {
        const std::size_t end = s_.find_first_of("] \n", at);
        if (end == std::string_view::npos || s_[end] != ']') return false;
        at = end + 1;
        whole = false;
    }
    if (at < s_.size() && s_[at] == '+') ++at, whole = false;
    if (at >= s_.size() || s_[at] != '=') return false;
    const std::size_t begin = i_, value = at + 1;
    i_ = value;
    ShellWord text;
    if (peek() == '(') {
        whole = false;
        for (++i_; more() && peek() != ')';) {
            const std::size_t before = i_;
            if (peek() == '#')
                skip_to('\n');
            else
                word();
            if (i_ == before) ++i_;
        }
        if (more()) ++i_;
        take(text, value);
        text.span = in_.span(value, i_);
    } else {
        text = word();
    }
    text.opaque |= !whole;
    text.known &= whole;
    command.assignments.push_back({std::string(name), std::move(text), in_.span(begin, i_)});
    return true;
}

void ShellScanner::test_words(ShellCommand& command) { // behind `[[`: operators are words here
    bool joined = false;
    while (more() && (peek() != '\n' || joined)) {
        const std::size_t at = i_;
        if (starts("&&") || starts("||"))
            joined = true, i_ += 2;
        else if (is_blank(peek()) || peek() == '\n' || ends_word(peek()))
            ++i_;
        else {
            joined = false;
            command.words.push_back(word());
            if (s_.substr(at, i_ - at) == "]]") return;
        }
        if (i_ == at) ++i_;
    }
}

void append_script(std::vector<ShellCommand>& commands, const PlacedText& script) {
    ShellScanner(script, commands, 0, false).run();
}

void append_words(std::vector<ShellCommand>& commands, std::vector<ShellWord> words) {
    if (words.empty()) return;
    ShellCommand command;
    command.span = {words.front().span.begin, words.back().span.end};
    command.words = std::move(words);
    const PlacedText nothing;
    ShellScanner(nothing, commands, 0, false).push(std::move(command), commands.size());
}

std::vector<ShellCommand> scan_shell(std::string_view file_text, Span slice, std::uint32_t indent, NodeStyle style) {
    std::vector<ShellCommand> commands;
    append_script(commands, placed_slice(file_text, slice, indent, style));
    resolve_variables(commands);
    return commands;
}

std::vector<ShellCommand> scan_shell(NodeRef scalar) {
    std::vector<ShellCommand> commands;
    append_script(commands, placed_scalar(scalar));
    resolve_variables(commands);
    return commands;
}

} // namespace lockstep

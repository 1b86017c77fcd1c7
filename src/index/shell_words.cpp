// Words of a script: quotes, variables, substitutions and template actions.
#include "index/shell_scanner.h"
#include <algorithm>

namespace lockstep {

constexpr std::size_t directive_limit = 500; // how far the end of a `%{ }` is looked for

std::size_t ShellScanner::action_end(std::size_t from) {
    const std::size_t end = actions_end_ ? s_.find("}}", from) : std::string_view::npos;
    actions_end_ = end != std::string_view::npos;
    return actions_end_ ? end + 2 : end;
}

// Part of a word that a template fills in: `{{ .x }}`, `%{ if x }`.
bool ShellScanner::action(ShellWord& word, bool in_quotes) {
    std::size_t end = std::string_view::npos;
    if (starts("{{"))
        end = action_end(i_ + 2);
    else if (starts("%{ ") || starts("%{~")) {
        const std::size_t size = s_.substr(i_, directive_limit).find('}');
        if (size != std::string_view::npos) end = i_ + size + 1;
    }
    if (end == std::string_view::npos) return false;
    const std::size_t begin = i_;
    i_ = end;
    take_opaque(word, begin, in_quotes);
    return true;
}

// Template lines that say when, not what: `{{- if }}`, `{{/* */}}`, `%{ for }`.
bool ShellScanner::directive() {
    if (starts("%{")) {
        const std::size_t end = s_.find_first_of("}\n", i_);
        if (end == std::string_view::npos || s_[end] == '\n') return false;
        i_ = end + 1;
        return true;
    }
    if (!starts("{{")) return false;
    const std::size_t end = action_end(i_ + 2);
    if (end == std::string_view::npos) return false;
    std::string_view action = s_.substr(i_ + 2, end - i_ - 4);
    action.remove_prefix(std::min(action.find_first_not_of("- \t\n"), action.size()));
    const std::string_view verb = action.substr(0, action.find_first_of(" \t\n-"));
    constexpr std::string_view control[] = {"if",     "else",  "end",   "range",   "with",
                                            "define", "block", "break", "continue"};
    const bool silent = std::find(std::begin(control), std::end(control), verb) != std::end(control) ||
                        action.starts_with("/*") || action.find(":=") != std::string_view::npos;
    if (silent) i_ = end;
    return silent;
}

ShellWord ShellScanner::word() {
    ShellWord word;
    const std::size_t begin = i_;
    while (more() && !ends_word(peek())) {
        const char c = peek();
        const std::size_t at = i_;
        if (c == '\'') {
            single_quoted(word, false);
        } else if (c == '"') {
            quoted(word);
        } else if (c == '$') {
            dollar(word, false);
        } else if (c == '`') {
            ++i_;
            substitution(word, '`');
            take_opaque(word, at, false);
        } else if (action(word, false)) {
            continue;
        } else if (c == '\\') {
            ++i_;
            const bool nothing = peek() == '\n';
            if (more()) ++i_;
            if (!nothing) take(word, at + 1);
        } else {
            ++i_;
            take(word, at);
        }
    }
    word.known = !word.opaque && word.variables.empty();
    word.span = in_.span(begin, i_);
    return word;
}

void ShellScanner::single_quoted(ShellWord& word, bool escapes) {
    const std::size_t begin = ++i_;
    while (more() && peek() != '\'')
        i_ += escapes && peek() == '\\' && i_ + 1 < s_.size() ? 2 : 1;
    const std::string_view body = s_.substr(begin, i_ - begin);
    const auto holds = [&](std::string_view text) { return body.find(text) != std::string_view::npos; };
    // No shell expands `'${x}'`, but Terraform, Flux and Helm do.
    word.opaque |= escapes ? holds("\\") : holds("${") || holds("{{");
    take(word, begin);
    if (more()) ++i_;
}

void ShellScanner::quoted(ShellWord& word) {
    ++i_;
    while (more() && peek() != '"') {
        const std::size_t at = i_;
        const char c = peek();
        if (c == '$') {
            dollar(word, true);
        } else if (c == '`' && close_ != '`') {
            ++i_;
            substitution(word, '`');
            take_opaque(word, at, true);
        } else if (action(word, true)) {
            continue;
        } else if (c == '\\' && std::string_view("$`\"\\\n").find(peek(1)) != std::string_view::npos) {
            i_ += 2;
            if (s_[at + 1] != '\n') take(word, at + 1);
        } else {
            ++i_;
            take(word, at);
        }
    }
    if (more()) ++i_;
}

void ShellScanner::dollar(ShellWord& word, bool in_quotes) {
    const std::size_t begin = i_;
    const char next = peek(1);
    if (next == '(' && peek(2) == '(') {
        ++i_;
        arithmetic();
        take_opaque(word, begin, in_quotes);
    } else if (next == '(') {
        i_ += 2;
        substitution(word, ')');
        take_opaque(word, begin, in_quotes);
    } else if (next == '{' && peek(2) == '{' && action_end(begin + 3) != std::string_view::npos) {
        i_ = action_end(begin + 3);
        take_opaque(word, begin, in_quotes);
    } else if (next == '{') {
        braces(word, begin, 2, in_quotes);
    } else if (next == '$' && peek(2) == '{') { // Terraform's way to write `${`
        braces(word, begin, 3, in_quotes);
    } else if (starts_name(next)) {
        for (++i_; more() && in_name(peek());)
            ++i_;
        variable(word, begin, s_.substr(begin + 1, i_ - begin - 1), in_quotes);
    } else if (next != '\0' && std::string_view("0123456789@*#?!$-").find(next) != std::string_view::npos) {
        i_ += 2;
        take_opaque(word, begin, in_quotes);
    } else if (!in_quotes && next == '\'') {
        ++i_;
        single_quoted(word, true);
    } else {
        ++i_;
        if (in_quotes || next != '"') take(word, begin);
    }
}

void ShellScanner::braces(ShellWord& word, std::size_t begin, std::size_t skip, bool in_quotes) {
    i_ += skip;
    const std::size_t name = i_;
    while (more() && in_name(peek()))
        ++i_;
    if (peek() == '}' && i_ > name && starts_name(s_[name])) {
        ++i_;
        return variable(word, begin, s_.substr(name, i_ - name - 1), in_quotes);
    }
    ShellWord inner; // read for its commands only
    for (unsigned open = 1; more() && open > 0;) {
        const char c = peek();
        const bool deeper = depth_ < depth_limit;
        ++depth_;
        if (c == '$' && deeper)
            dollar(inner, true);
        else if (c == '"' && deeper)
            quoted(inner);
        else if (c == '\'' && !in_quotes)
            single_quoted(inner, false);
        else if (c == '\\')
            i_ = std::min(i_ + 2, s_.size());
        else {
            // A `{` counts where Terraform opens an object; elsewhere it is a shell pattern's own.
            if (c == '{' && std::string_view("( ,[={\n").find(s_[i_ - 1]) != std::string_view::npos) ++open;
            if (c == '}') --open;
            ++i_;
        }
        --depth_;
    }
    take_opaque(word, begin, in_quotes);
}

void ShellScanner::variable(ShellWord& word, std::size_t begin, std::string_view name, bool in_quotes) {
    const auto at = static_cast<std::uint32_t>(word.text.size());
    take(word, begin);
    word.variables.push_back({at, static_cast<std::uint32_t>(word.text.size()), std::string(name), in_quotes});
    word.splits |= !in_quotes;
}

void ShellScanner::take_opaque(ShellWord& word, std::size_t begin, bool in_quotes) {
    take(word, begin);
    const std::string_view raw = s_.substr(begin, i_ - begin);
    word.opaque = true;
    word.splits |= !in_quotes || raw == "$@" || raw.ends_with("[@]}");
}

} // namespace lockstep

// Finds the end of every action as the template engines do (strings and comments inside may hold the closing
// delimiter), then names its purpose by its first word. Linear in the text, whatever the text.
#include "yaml/actions.h"
#include "base/text.h"
#include <algorithm>
#include <array>
#include <optional>

namespace lockstep {
namespace {

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view first_word(std::string_view body) {
    std::size_t size = 0;
    while (size < body.size() && is_word(body[size]))
        ++size;
    return body.substr(0, size);
}

std::string_view skip_space(std::string_view body) {
    while (!body.empty() && is_blank_or_break(body.front()))
        body.remove_prefix(1);
    return body;
}

template <std::size_t N> bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// `$x := …`, `$x = …`, `$k, $v := …`
bool is_assignment(std::string_view body) {
    while (!body.empty() && body.front() == '$') {
        body = skip_space(body.substr(1 + first_word(body.substr(1)).size()));
        if (body.starts_with(":=") || (body.starts_with("=") && !body.starts_with("=="))) return true;
        if (!body.starts_with(",")) return false;
        body = skip_space(body.substr(1));
    }
    return false;
}

void read_indent(std::string_view body, TemplateAction& action) {
    const std::size_t at = body.rfind("indent");
    if (at == npos) return;
    const bool with_break = at > 0 && body[at - 1] == 'n';
    const std::size_t start = with_break ? at - 1 : at;
    if (start > 0 && is_word(body[start - 1])) return;
    std::string_view rest = body.substr(at + 6);
    if (rest.empty() || !is_blank_or_break(rest.front())) return;
    action.breaks = with_break;
    for (rest = skip_space(rest); !rest.empty() && rest.front() >= '0' && rest.front() <= '9'; rest.remove_prefix(1))
        if (action.indent < 1000) action.indent = action.indent * 10 + static_cast<std::size_t>(rest.front() - '0');
}

// Links else and end to the action that opened their block. Unbalanced text leaves some without partner.
void link_blocks(std::vector<TemplateAction>& actions, const std::vector<bool>& ends) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < actions.size(); ++i) {
        if (actions[i].opens) {
            open.push_back(i);
        } else if ((actions[i].otherwise || ends[i]) && !open.empty()) {
            actions[i].opener = open.back();
            if (actions[i].otherwise) {
                actions[open.back()].branched = true;
            } else {
                actions[open.back()].closer = i;
                open.pop_back();
            }
        }
    }
}

struct GoScanner {
    std::string_view text;
    std::size_t distrust_until = 0; // reading strings led astray before this: only the nearest delimiter counts there
    bool comments_end = true;       // false: there is no more `*/`

    // Behind the closing `}}`; npos when there is none, or when another `{{` comes first.
    std::size_t action_end(std::size_t begin) {
        std::size_t at = begin + 2;
        if (at + 1 < text.size() && text[at] == '-' && is_blank_or_break(text[at + 1])) ++at;
        while (at < text.size() && is_blank_or_break(text[at]))
            ++at;
        if (text.substr(at).starts_with("/*")) {
            const std::size_t close = comments_end ? text.find("*/", at + 2) : npos;
            comments_end = close != npos;
            const std::size_t end = comments_end ? text.find("}}", close) : npos;
            return end == npos ? npos : end + 2;
        }
        const bool trusted = begin >= distrust_until;
        for (at = begin + 2; at + 1 < text.size(); ++at) {
            const char c = text[at];
            if (c == '}' && text[at + 1] == '}') return at + 2;
            if (c == '{' && text[at + 1] == '{') {
                distrust_until = std::max(distrust_until, at);
                return npos;
            }
            if (!trusted || (c != '"' && c != '\'' && c != '`')) continue;
            const std::size_t close = string_end(at);
            if (close == npos) return action_end(begin); // now without trust
            at = close;
        }
        if (trusted) {
            distrust_until = text.size();
            return action_end(begin);
        }
        return npos;
    }

    std::size_t string_end(std::size_t at) {
        const char quote = text[at];
        std::size_t i = at + 1;
        for (; i < text.size() && text[i] != quote; ++i) {
            if (quote == '`') continue;
            if (text[i] == '\n') break;
            if (text[i] == '\\') ++i;
        }
        if (i < text.size() && text[i] == quote) return i;
        distrust_until = std::min(i, text.size());
        return npos;
    }
};

// True when the action ends a block.
bool describe_go(std::string_view action_text, TemplateAction& action) {
    std::string_view body = action_text.substr(2, action_text.size() - 4);
    if (body.size() > 1 && body[0] == '-' && is_blank_or_break(body[1])) body.remove_prefix(1);
    action.trims_right = body.size() > 1 && body.back() == '-' && is_blank_or_break(body[body.size() - 2]);
    body = skip_space(body);
    using Kind = TemplateAction::Kind;
    if (body.starts_with("/*")) {
        action.trims_right = action_text.ends_with("-}}");
        action.kind = Kind::comment;
        return false;
    }
    const std::string_view word = first_word(body);
    static constexpr std::array<std::string_view, 5> openers{"if", "with", "range", "define", "block"};
    static constexpr std::array<std::string_view, 4> others{"else", "end", "break", "continue"};
    if (is_one_of(word, openers)) {
        action.kind = Kind::control;
        action.opens = true;
        action.defines = word == "define";
    } else if (is_one_of(word, others) || is_assignment(body)) {
        action.kind = Kind::control;
        action.otherwise = word == "else";
    } else {
        read_indent(body, action);
    }
    return word == "end";
}

// Behind the `}` that closes an interpolation or directive whose `{` is at `brace`; npos when `limit` comes first.
std::size_t terraform_end(std::string_view text, std::size_t brace, std::size_t limit) {
    std::vector<char> open{'}'}; // what closes each level: `}` of an expression, `"` of a string
    for (std::size_t i = brace + 1; i < limit; ++i) {
        const char c = text[i];
        const char next = i + 1 < limit ? text[i + 1] : '\0';
        if (open.back() == '"') {
            if (c == '\\') {
                ++i;
            } else if ((c == '$' || c == '%') && next == c && i + 2 < limit && text[i + 2] == '{') {
                i += 2;
            } else if ((c == '$' || c == '%') && next == '{') {
                open.push_back('}');
                ++i;
            } else if (c == '"') {
                open.pop_back();
            }
        } else if (c == '"') {
            open.push_back('"');
        } else if (c == '{') {
            open.push_back('}');
        } else if (c == '}') {
            open.pop_back();
            if (open.empty()) return i + 1;
        } else if (c == '#' || (c == '/' && next == '/')) {
            i = std::min(text.find('\n', i), limit) - 1;
        } else if (c == '/' && next == '*') {
            i = std::min(text.find("*/", i + 2), limit - 1) + 1;
        }
    }
    return npos;
}

} // namespace

std::vector<TemplateAction> go_actions(std::string_view text) {
    std::vector<TemplateAction> actions;
    std::vector<bool> ends;
    GoScanner scanner{text};
    const std::size_t last_close = text.rfind("}}");
    std::size_t at = text.find("{{");
    while (at != npos && last_close != npos && at < last_close) {
        const std::size_t end = scanner.action_end(at);
        if (end == npos) {
            at = text.find("{{", at + 1);
            continue;
        }
        TemplateAction action{at, end};
        ends.push_back(describe_go(text.substr(at, end - at), action));
        actions.push_back(action);
        at = text.find("{{", end);
    }
    link_blocks(actions, ends);
    return actions;
}

std::vector<TemplateAction> terraform_actions(std::string_view text) {
    std::vector<TemplateAction> actions;
    std::vector<bool> ends;
    bool to_line_end = false; // one action never ended: from then on none may cross a line
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        if (text[i] != '$' && text[i] != '%') continue;
        if (text[i + 1] == text[i] && i + 2 < text.size() && text[i + 2] == '{') {
            i += 2;
            continue;
        }
        if (text[i + 1] != '{') continue;
        const std::size_t limit = to_line_end ? std::min(text.find('\n', i), text.size()) : text.size();
        const std::size_t end = terraform_end(text, i + 1, limit);
        if (end == npos) {
            if (to_line_end)
                i = limit - 1;
            else
                --i; // once more, within its line
            to_line_end = true;
            continue;
        }
        TemplateAction action{i, end};
        std::string_view body = text.substr(i + 2, end - i - 3);
        if (body.starts_with('~')) body.remove_prefix(1);
        action.trims_right = body.ends_with('~');
        if (text[i] == '%') {
            const std::string_view word = first_word(skip_space(body));
            action.kind = TemplateAction::Kind::control;
            action.opens = word == "if" || word == "for";
            action.otherwise = word == "else";
            ends.push_back(word == "endif" || word == "endfor");
        } else {
            ends.push_back(false);
        }
        actions.push_back(action);
        i = end - 1;
    }
    link_blocks(actions, ends);
    return actions;
}

} // namespace lockstep

// Reads the words of template actions as Go's lexer does.
#include "index/template_words.h"
#include "base/text.h"
#include "yaml/actions.h"

namespace lockstep {
namespace {

bool starts_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_template_keyword(std::string_view word) {
    for (std::string_view one : {"if", "else", "end", "range", "with", "define", "block", "template", "break",
                                 "continue", "true", "false", "nil"})
        if (word == one) return true;
    return false;
}

// Behind the string that starts at `at`.
std::size_t skip_string(std::string_view text, std::size_t at, std::size_t end) {
    const char quote = text[at];
    for (++at; at < end && text[at] != quote; ++at)
        if (text[at] == '\\' && quote != '`') ++at;
    return at + 1;
}

} // namespace

std::vector<TemplateWord> template_functions(std::string_view text) {
    std::vector<TemplateWord> found;
    for (const TemplateAction& action : go_actions(text)) {
        if (action.kind == TemplateAction::Kind::comment) continue;
        const std::size_t end = action.end - 2;
        for (std::size_t at = action.begin + 2; at < end;) {
            const char c = text[at];
            if (c == '"' || c == '`' || c == '\'') {
                at = skip_string(text, at, end);
                continue;
            }
            if (!starts_word(c) && !is_digit(c)) {
                ++at;
                continue;
            }
            const std::size_t begin = at;
            while (at < end && (starts_word(text[at]) || is_digit(text[at])))
                ++at;
            const std::string_view word = text.substr(begin, at - begin);
            const char before = text[begin - 1];
            if (is_digit(c) || before == '.' || before == '$' || is_template_keyword(word)) continue;
            found.push_back({std::string(word), {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at)}});
        }
    }
    return found;
}

} // namespace lockstep

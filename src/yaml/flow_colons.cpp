// Walks through the tokens of a bracket, from inside of it.
#include "yaml/flow_colons.h"
#include <algorithm>
#include <string_view>

namespace lockstep {
namespace {

constexpr std::string_view brackets_and_commas = ",?[]{}", flow_blanks = " \t\r\n";

bool is_one_of(std::string_view set, char c) {
    return set.find(c) != std::string_view::npos;
}

// Behind the quote that ends the one at `at`.
std::size_t behind_quoted(std::string_view text, std::size_t at) {
    const char quote = text[at];
    for (std::size_t i = at + 1; i < text.size(); ++i) {
        if (quote == '"' && text[i] == '\\')
            ++i;
        else if (text[i] == quote)
            return i + 1; // `''` inside starts a second one, which is as well
    }
    return text.size();
}

} // namespace

void hide_flow_colons(std::string& text, std::uint32_t at, int depth) {
    constexpr char stand_in = 'x';
    bool plain = true;
    for (std::size_t i = at; i < text.size() && depth > 0;) {
        const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\n';
        if (plain && c == ':' && is_one_of(brackets_and_commas, next)) {
            text[i++] = stand_in;
        } else if (c == '#' && i > 0 && is_one_of(flow_blanks, text[i - 1])) {
            plain = false;
            i = std::min(text.find('\n', i), text.size());
        } else if (!plain && (c == '"' || c == '\'')) {
            i = behind_quoted(text, i);
        } else {
            if (c == '[' || c == '{') ++depth;
            if (c == ']' || c == '}') --depth;
            const bool ends = is_one_of(",[]{}", c) || (c == ':' && is_one_of(flow_blanks, next));
            if (ends)
                plain = false;
            else if (!is_one_of(flow_blanks, c))
                plain = true;
            ++i;
        }
    }
}

} // namespace lockstep

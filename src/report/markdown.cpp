// Escapes for GitHub's Markdown. A character reference is never taken as markup, so all that could be is written as
// one.
#include "report/markdown.h"
#include "base/printable.h"
#include <algorithm>

namespace lockstep {
namespace {

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Beyond ASCII nothing is markup.
bool is_harmless(char c) {
    constexpr std::string_view also = " ,.-/()";
    return is_letter_or_digit(c) || static_cast<unsigned char>(c) >= 0x80 || also.find(c) != std::string_view::npos;
}

// `www.` makes a link by itself.
bool opens_link(std::string_view before) {
    if (before.size() < 3) return false;
    const std::string_view last = before.substr(before.size() - 3);
    return std::all_of(last.begin(), last.end(), [](char c) { return c == 'w' || c == 'W'; });
}

} // namespace

void append_markdown(std::string& out, std::string_view text) {
    std::string printable;
    append_printable(printable, text);
    for (std::size_t at = 0; at < printable.size(); ++at) {
        const char c = printable[at];
        if (is_harmless(c) && !(c == '.' && opens_link(std::string_view(printable).substr(0, at))))
            out += c;
        else
            out += "&#" + std::to_string(static_cast<int>(c)) + ";";
    }
}

void append_url_path(std::string& out, std::string_view path) {
    constexpr std::string_view plain = "-._~/";
    for (const char c : path) {
        if (is_letter_or_digit(c) || plain.find(c) != std::string_view::npos) {
            out += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        out += '%';
        out += "0123456789ABCDEF"[byte >> 4];
        out += "0123456789ABCDEF"[byte & 0xfU];
    }
}

} // namespace lockstep

// Spells out what must not be sent, line by line.
#include "base/plain_text.h"
#include "base/printable.h"

namespace lockstep {

PlainText PlainText::lines(std::string_view text) {
    PlainText plain;
    plain.bytes_.reserve(text.size());
    while (!text.empty()) {
        const auto end = text.find('\n');
        std::string_view line = text.substr(0, end);
        const auto first = line.find_first_not_of(" \t");
        // Runners trim a line before they look for a command.
        if (first != std::string_view::npos && line.substr(first).starts_with("::")) {
            plain.bytes_.append(line.substr(0, first)) += "\\x3a";
            line.remove_prefix(first + 1);
        }
        for (auto tab = line.find('\t'); tab != std::string_view::npos; tab = line.find('\t')) { // moves, and no more
            append_printable(plain.bytes_, line.substr(0, tab));
            plain.bytes_ += '\t';
            line.remove_prefix(tab + 1);
        }
        append_printable(plain.bytes_, line);
        if (end == std::string_view::npos) break;
        plain.bytes_ += '\n';
        text.remove_prefix(end + 1);
    }
    return plain;
}

PlainText PlainText::json(std::string text) {
    for (std::string_view sign : {"##[", "##vso[", "##teamcity["})
        for (auto at = text.find(sign); at != std::string::npos; at = text.find(sign, at))
            text.replace(at, 1, "\\u0023"); // only within a string can it be
    return PlainText(std::move(text));
}

} // namespace lockstep

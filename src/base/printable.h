// Bytes of the repository on their way to a terminal or a build log: whatever could act there is shown, never sent.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep {

// One code point, or one byte that belongs to none.
struct Glyph {
    std::string_view bytes;
    char32_t code = 0;         // the byte itself when it is no UTF-8
    std::uint32_t columns = 1; // on a terminal, as append_glyph shows it; a tab counts 8
    bool escaped = false;
};

Glyph read_glyph(std::string_view text, std::size_t at);     // `at` is below text.size()
void append_glyph(std::string& out, const Glyph& glyph);     // a tab stays a tab
void append_printable(std::string& out, std::string_view s); // for one-line texts: a tab becomes `\t`
std::string printable(std::string_view s);
void append_path(std::string& out, std::string_view path); // for a path that opens a line

} // namespace lockstep

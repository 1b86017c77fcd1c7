// A source line and the mark under it: how text reports show a place.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep {

struct Snippet {
    std::uint32_t number = 1; // of the line
    std::string_view line;    // not empty
    std::size_t begin = 0;    // bytes in the line; `begin` may be its end
    std::size_t end = 0;
};

struct SnippetStyle {
    std::string_view indent;
    char mark = '^';
    std::string_view dim, mark_color, reset; // terminal sequences, empty without colours
};

// Two lines. A line wider than 160 columns is cut to a window around the span; the work does not grow with the line.
void append_snippet(std::string& out, const Snippet& snippet, const SnippetStyle& style);

} // namespace lockstep

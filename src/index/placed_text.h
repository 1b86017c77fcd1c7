// Text taken out of a file (a script in a scalar, a word of a command) that still knows where each byte is: between
// the node table and everything that reads scripts.
#pragma once
#include "base/span.h"
#include "yaml/node.h"
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct PlacedText {
    struct Piece {
        std::uint32_t text = 0, file = 0; // from this byte of the text on, bytes are together in the file
    };
    std::string text = {};
    std::vector<Piece> pieces = {};

    void append(char c, std::uint32_t file);
    void append(const PlacedText& from, std::size_t begin, std::size_t end);
    std::uint32_t at(std::size_t offset) const; // the file's byte of a byte of the text
    Span span(std::size_t begin, std::size_t end) const;
};

// A slice of a file by the style it is written in. Literal and folded: lines without `indent` blanks each, without CR;
// template lines left of that indentation are left out. Quoted: what is between the quotes.
PlacedText placed_slice(std::string_view file_text, Span slice, std::uint32_t indent,
                        NodeStyle style = NodeStyle::literal);
// The value of a YAML scalar, read from the file's own bytes: template actions are in it unmasked.
PlacedText placed_scalar(NodeRef scalar);

} // namespace lockstep

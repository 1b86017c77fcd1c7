// How one text is written as a YAML scalar: the styles it may have, and its bytes, as libyaml's emitter decides.
#pragma once
#include "yaml/node.h"
#include <string>
#include <string_view>

namespace lockstep {

// Bytes of an output together with the column they end in.
struct EmitSink {
    std::string& out;
    std::size_t line_start = 0; // offset of the first byte of the line that is being written

    std::size_t column() const; // in characters
    void newline(std::size_t indent) {
        out += '\n';
        line_start = out.size();
        out.append(indent, ' ');
    }
};

// The style that a text gets: plain where it can be, a literal block where it has line breaks, else quotes.
NodeStyle scalar_style(std::string_view text, bool as_key);
// `indent` is that of lines which continue it.
void write_scalar(EmitSink& sink, std::string_view text, NodeStyle style, std::size_t indent, bool as_key);

} // namespace lockstep

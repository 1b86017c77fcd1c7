// JSON as Go's encoding/json writes and reads it.
#pragma once
#include "helm/text_builder.h"

namespace lockstep {

struct JsonStyle {
    bool escape_html = true; // < > & as \u003c …
    bool pretty = false;     // two blanks, one line for each member
};

void write_json(TextBuilder& out, const GoValue& value, const JsonStyle& style = {});
std::string json_quoted(std::string_view text, bool escape_html = true);
std::string json_bytes(std::string_view bytes); // a []byte: base 64 in quotes

struct JsonRead {
    GoValue value;
    std::string error = {}; // encoding/json's words
};
// `text` must stay: its bytes become the values' origins when it is a string with one.
JsonRead read_json(ValueArena& arena, const GoValue& text);

} // namespace lockstep

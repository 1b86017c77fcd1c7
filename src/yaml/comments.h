// Comments and their places. A comment is never a pin; only what asks for comments reads them.
#pragma once
#include "yaml/node.h"

namespace lockstep {

// YAML comments (`#` to the end of the line, outside scalars) in file order; a span starts at `#`.
// Go-template comments `{{/* */}}` of a masked file count too; their span is the whole action.
std::vector<Span> yaml_comments(const YamlText& yaml);
// By lines, for shell, .tftpl and block scalars that hold scripts: `#` at the line's start or behind a blank, outside
// quotes.
std::vector<Span> line_comments(std::string_view text);
// The same text with comments blanked at equal length.
std::string blank_comments(std::string_view text, const std::vector<Span>& comments);

} // namespace lockstep

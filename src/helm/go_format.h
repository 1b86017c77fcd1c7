// Go's fmt package over template values: Sprint, Sprintf, %v. Every printed leaf keeps the origin of its value.
#pragma once
#include "helm/text_builder.h"

namespace lockstep {

void format_values(TextBuilder& out, std::string_view format, std::span<const GoValue> values); // fmt.Sprintf
void print_values(TextBuilder& out, std::span<const GoValue> values);                           // fmt.Sprint
void print_lines(TextBuilder& out, std::span<const GoValue> values);                            // fmt.Sprintln
void print_value(TextBuilder& out, const GoValue& value);                                       // %v
std::string plain_text(const GoValue& value);                                                   // %v, bytes only
// sprig's strval: a string as it is, everything else by %v.
GoValue string_value(ValueArena& arena, const GoValue& value);

} // namespace lockstep

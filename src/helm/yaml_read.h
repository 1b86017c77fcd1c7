// YAML text into values, by way of JSON as Helm does it: every number becomes a float64, every key a string, and only
// the first document counts. Every value knows its place.
#pragma once
#include "helm/go_value.h"

namespace lockstep {

struct YamlRead {
    GoValue value;          // nil for nothing, or for null
    std::string error = {}; // Helm's words: `error converting YAML to JSON: yaml: line 3: …`
    std::uint32_t error_at = 0;
};

// A file: places count in it.
// `keep_integers`: for Go structs with string fields, where 1234567 stays as written.
YamlRead read_yaml(ValueArena& arena, std::string_view text, FileId file, bool keep_integers = false);
// A string of a template: places are those of its pieces. The bytes must stay.
YamlRead read_yaml(ValueArena& arena, const GoValue& text);
// The error of reading anything but a mapping into Go's map[string]interface {}; empty when it is one, or nothing.
std::string wrong_for_map(const GoValue& value, std::string_view go_type = "map[string]interface {}");
std::string_view json_kind(const GoValue& value);

} // namespace lockstep

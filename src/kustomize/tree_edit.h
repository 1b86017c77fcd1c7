// Small changes of an object's tree, with the habits of kyaml: metadata, annotations, scalars that keep their style.
#pragma once
#include "kustomize/resource.h"
#include "yaml/value.h"
#include <string>
#include <utility>
#include <vector>

namespace lockstep {

ResourceId id_of(const Value& object); // views into the tree

// Sets a scalar as a field setter does: the style stays, the tag is the one given (empty: as the text is read).
// An error when the node is no scalar.
std::string set_scalar(Value& node, std::string_view text, std::string_view tag, Place by);
// An entry of a mapping with a text; an existing one keeps its style.
void set_entry(Value& mapping, std::string_view key, std::string_view text, std::string_view tag, Arena& arena,
               Place by);
// The mapping under `key`, made when it is missing or null.
Value& child_mapping(Value& mapping, std::string_view key, Arena& arena);

using StringPairs = std::vector<std::pair<std::string_view, std::string_view>>;
StringPairs string_pairs(const Value* mapping);                        // keys and texts; empty for no mapping
const Value* metadata_map(const Value& object, std::string_view name); // `labels` or `annotations`, or nullptr
void set_name(Value& object, std::string_view name, Arena& arena);
void set_namespace(Value& object, std::string_view ns, Arena& arena); // empty: taken away
void set_annotation(Value& object, std::string_view key, std::string_view text, Arena& arena);
// What SetAnnotations and SetLabels of kyaml do to a map they rewrite: every value a text, no empty map.
void restring_map(Value& object, std::string_view name, Arena& arena);

std::string wrong_kind(const Value& node,
                       NodeKind wanted); // `wrong node kind: expected MappingNode but got ScalarNode…`

} // namespace lockstep

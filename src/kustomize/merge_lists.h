// Lists that merge by their items' keys: finding, replacing and ordering items as kyaml does. Internal to merge.cpp.
#pragma once
#include "yaml/value.h"
#include <string>
#include <vector>

namespace lockstep {

using ItemKey = std::vector<std::string>; // the values of an item's merge keys, empty for one that it lacks

struct ValidKeys {
    std::vector<std::string> keys;
    ItemKey values;
};

std::vector<ItemKey> item_values(const std::vector<const Value*>& sources, const std::vector<std::string>& keys);
std::vector<ItemKey> primitive_values(const std::vector<const Value*>& sources);
// Items that agree where both name a key count as one.
void merge_values(std::vector<ItemKey>& values);
// Keys that no item has do not count.
ValidKeys valid_keys(const std::vector<ItemKey>& all, const ItemKey& values, const std::vector<std::string>& keys);

Value* find_element(const Value& list, const std::vector<std::string>& keys, const ItemKey& values);
// Replaces the items that match, or appends; nullptr takes them away. Empty items vanish on the way.
void set_element(Value& list, Value* element, const std::vector<std::string>& keys, const ItemKey& values,
                 Arena& arena);
void append_elements(Value& into, const Value& from, const std::vector<std::string>& keys, Arena& arena);

} // namespace lockstep

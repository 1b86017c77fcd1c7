// A whole field of an object as comparable leaves: `matchLabels.app` to `web`. Comments, order of keys and quotes do
// not count.
#pragma once
#include "deploy/fleet.h"
#include <map>

namespace lockstep {

using FieldPath = std::vector<std::string_view>;

struct Leaf {
    std::string text;
    Place place;
    bool templated = false;
    Place written = {}; // in the object, where another place decided the value
};

struct FieldValues {
    std::map<std::string, Leaf> leaves; // by path inside the field; a scalar field has one leaf named ""
    Place place;                        // the field, or the deepest key that exists on the way to it
    std::string unsure;                 // why the value is not known
};

FieldValues field_values(const Value* tree, const FieldPath& path);

// The leaves of any YAML value, nulls left out. Items of a list count by their name where they have one.
void add_leaves(const Value* value, const std::string& path, std::map<std::string, Leaf>& leaves);

struct FieldDifference {
    std::string path;             // inside the field; empty for a scalar
    const Leaf* before = nullptr; // null: it was not there
    const Leaf* now = nullptr;    // null: it is gone
};
std::vector<FieldDifference> differences(const FieldValues& before, const FieldValues& now);

} // namespace lockstep

// A whole field of an applied object as comparable leaves: `matchLabels.app` to `web`. Comments, order of keys and
// quotes do not count; what kustomize adds to it on the way up (labels in selectors, image overrides) does.
#pragma once
#include "checks/applied.h"

namespace lockstep {

struct Leaf {
    std::string text;
    Place place;
    bool templated = false;
};

struct FieldValues {
    std::map<std::string, Leaf> leaves; // by path inside the field; a scalar field has one leaf named ""
    Place place;                        // the field, or the deepest key that exists on the way to it
    std::string unsure;                 // why the value cannot be told
    bool patched = false;               // a patch on the way speaks of it: the leaves are those before the patch
    bool gone = false;                  // the object is deleted on this way
};

enum class Shape : std::uint8_t {
    scalar,       // one value, read through all patches
    tree,         // as declared
    selector,     // with the labels that kustomizations put into selectors
    pod_template, // with labels and image overrides
};

FieldValues field_values(AppliedObjects& objects, const RoutedObject& applied, const FieldPath& path, Shape shape);

// The leaves of any YAML value, nulls left out. Items of a list count by their name where they have one.
void add_leaves(FileId file, NodeRef node, const std::string& path, std::map<std::string, Leaf>& leaves);

struct FieldDifference {
    std::string path;             // inside the field; empty for a scalar
    const Leaf* before = nullptr; // null: it was not there
    const Leaf* now = nullptr;    // null: it is gone
};
std::vector<FieldDifference> differences(const FieldValues& before, const FieldValues& now);

} // namespace lockstep

// Trees back into text, as the tools write them: keys sorted as sigs.k8s.io/yaml sorts them, lists not indented,
// scalars quoted only where they must be. JSON too.
#pragma once
#include "yaml/value.h"
#include <string>

namespace lockstep {

// Where the lines of an output come from: one for each line, file == no_file for what no file says.
struct LinePlace {
    Place place;      // of the node that begins on this line
    Place changed_by; // of the same node
};

struct EmitOptions {
    bool sort_keys = true;                    // as kustomize, flux and `helm get` do
    std::vector<LinePlace>* places = nullptr; // filled in step with the lines, when it is there
};

// One document, without `---`, ending in a line break. Appends to `out`.
void emit_yaml(const Value& value, std::string& out, const EmitOptions& options = {});
void emit_json(const Value& value, std::string& out, unsigned indent = 0); // keys sorted; indent 0: one line

} // namespace lockstep

// Where a tree asks for variables of Flux's substitution: `${NAME}` without a default.
#pragma once
#include "tree/tree.h"
#include "yaml/value.h"

namespace lockstep {

struct VariableUse {
    std::string name;
    Place place;            // `${NAME}` in the file; the whole text where that is unknown
    bool whole = false;     // the text is nothing else
    bool commented = false; // in a line of a longer text that begins with `#`
    bool value = false;     // it is all of a value: the text is nothing else, or a line of it is `key: ${NAME}`
};

// In one text. `$${NAME}` is an escape; forms with a default, and those that cut or replace parts, are left out.
std::vector<VariableUse> variable_uses(const Value& text, const Tree& files);
// In all keys and values of a tree.
std::vector<VariableUse> variable_uses_in(const Value& tree, const Tree& files);

// True for an object that says `kustomize.toolkit.fluxcd.io/substitute: disabled`.
bool is_substitution_off(const Value& tree);

} // namespace lockstep

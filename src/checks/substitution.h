// Variables of Flux's post-build substitution: where `${NAME}` stands in a document, and which names a Flux
// Kustomization supplies.
#pragma once
#include "checks/generated_names.h"
#include "checks/known_objects.h"
#include <optional>
#include <set>

namespace lockstep {

struct VariableUse {
    std::string name;
    Span span; // `${NAME}` in the file; the whole scalar where that cannot be told
};

// `${NAME}` without a default, in keys and values of a document; comments never reach the substitution. `$${NAME}` is
// an escape. Forms that cut or replace parts of a value are left out.
std::vector<VariableUse> variables_in(NodeRef document);

// The names that a Kustomization supplies; nothing when some supplier cannot be read whole, `why` then says which.
std::optional<std::set<std::string>> supplied_names(KnownObjects& known, const GeneratedNames& generated,
                                                    const Index& index, const FluxKustomization& flux,
                                                    std::string& why);

} // namespace lockstep

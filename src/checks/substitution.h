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

// The names that Flux Kustomizations supply.
class SuppliedNames {
public:
    using Names = std::optional<std::set<std::string>>;
    SuppliedNames(const Index& index, KnownObjects& known, const GeneratedNames& generated)
        : index_(index), known_(known), generated_(generated) {}
    // Nothing when some supplier cannot be read whole; `why` then says which.
    Names of(const FluxKustomization& flux, std::string& why);

private:
    const Names& keys_of(const Declared& declared);

    const Index& index_;
    KnownObjects& known_;
    const GeneratedNames& generated_;
    std::unordered_map<const Declared*, Names> keys_;
};

} // namespace lockstep

// The force mark of Flux on an object: `kustomize.toolkit.fluxcd.io/force`, as annotation or label, its own or given to
// it by patches and common metadata.
#pragma once
#include "deploy/fleet.h"

namespace lockstep {

inline constexpr std::string_view force_key = "kustomize.toolkit.fluxcd.io/force";

struct ForceMark {
    enum class Says : std::uint8_t { nothing, enabled, other, unsure } says = Says::nothing;
    Cell cell;       // the value that counts; for `nothing` where it would be
    std::string why; // for `unsure`
};

ForceMark force_mark(const Value* tree);
bool says_enabled(std::string_view value);  // in any case, as Flux compares
bool says_disabled(std::string_view value); // the one other word with a meaning

// True when force is on for the object: by its own mark or by its Flux Kustomization. `unsure` says why nobody knows.
bool is_forced(const Fleet& fleet, const Instance& instance, std::string& unsure);
// True when Flux was told to leave a live object as it is (`ssa: IfNotPresent`, `ssa: Ignore`, `reconcile: disabled`).
bool is_left_alone(const Value* tree);
// The same, or told to merge: others write fields of it as well.
bool is_shared(const Value* tree);

bool is_object(const Object& object, std::string_view group, std::string_view kind);
// Declared here to be applied: no patch, no text inside another object.
bool is_declared(const Object& object);
// By its name: one that `flux install` writes, and that nobody edits.
bool is_controller_of_flux(const Object& object);
bool uses_flux(const Index& index);

} // namespace lockstep

// The force mark of Flux on an object: `kustomize.toolkit.fluxcd.io/force`, as annotation or label, its own or given to
// it on the way up.
#pragma once
#include "checks/overlay.h"

namespace lockstep {

inline constexpr std::string_view force_key = "kustomize.toolkit.fluxcd.io/force";

struct ForceMark {
    enum class Says : std::uint8_t { nothing, enabled, other, unsure } says = Says::nothing;
    Cell cell;       // the value that counts; for `nothing` where it would stand
    std::string why; // for `unsure`
};

ForceMark force_mark(Overlay& overlay, const Object& object, const Route& route);
bool says_enabled(std::string_view value);  // in any case, as Flux compares
bool says_disabled(std::string_view value); // the one other word with a meaning

// `spec.force` of a Flux Kustomization as its own overlays leave it.
Field flux_force(Overlay& overlay, const Index& index, EntityId flux);

bool is_object(const Object& object, std::string_view group, std::string_view kind);
// Declared here to be applied: no patch, no text inside another object, no file that a tool wrote.
bool is_declared(const Repository& repository, const Object& object);
bool is_generated(const Repository& repository, FileId file);
bool uses_flux(const Index& index);

} // namespace lockstep

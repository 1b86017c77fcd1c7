// What an object pins, takes things from and waits for, as its cluster gets it: after patches and substitution. For
// `diff`, `pins`, `graph` and `index`, which must not show what is only written.
#pragma once
#include "deploy/fleet.h"

namespace lockstep {

struct AppliedField {
    enum class Is : std::uint8_t { pin, source, waits } is = Is::pin;
    std::string name;         // `version`, `url`, `path`; of `waits` what it waits for
    Cell cell;                // its place is where the value is decided; absent: a release without a version
    Place written;            // the bytes in the object itself
    Reference reference = {}; // of `source`, whose cell says the same in words
};

// Of HelmReleases, Flux Kustomizations and Flux's sources; none for other kinds. The version of a release may be that
// of the HelmChart or OCIRepository which its cluster gets.
std::vector<AppliedField> applied_fields(const Index& index, const Fleet& fleet, const Instance& one,
                                         const Value* tree);

// One value of a field, with the clusters that get it.
struct AppliedValue {
    AppliedField field;
    std::vector<std::string> clusters = {};
};
// The different values of each field but dependsOn, by its name; nothing for an object that nothing applies.
std::map<std::string, std::vector<AppliedValue>> applied_values(const Index& index, const Fleet& fleet,
                                                                EntityId object);

} // namespace lockstep

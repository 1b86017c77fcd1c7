// What a file has in it, and by which chains each of these things is applied. For `lockstep why`; answers one file at a
// time.
#pragma once
#include "deploy/chains.h"

namespace lockstep {

// One thing in the file: an object, the kustomization it is, or how a kustomization or chart uses it.
struct Part {
    enum class As : std::uint8_t {
        object,
        kustomization,
        patch,
        generated_from,
        other_listing,
        chart,
        refused,
        rendered, // an object that no template writes out: values in this file, or an action of this template, make it
    } as = As::object;
    EntityId id = no_entity; // the object, kustomization or chart
    WhyChains found;
    std::vector<Place> removed_by;    // patches that delete the object somewhere
    std::string kind = {}, name = {}; // of what is rendered
    Place place = {};                 // where the file says so
};

struct Hint {
    std::string text;
    Place place;
};

struct FileChains {
    std::vector<Part> parts;
    std::vector<Hint> hints; // when something in the file is applied by nothing: what is near
};

// At most so many chains of each part.
FileChains chains_of_file(const Index& index, const Fleet& fleet, FileId file, std::size_t most = most_chains);

} // namespace lockstep

// What the tables of the config deny.
#pragma once
#include "deploy/used_images.h"
#include "relations/relation.h"
#include <optional>

namespace lockstep {

// A row of the config's table.
struct Denial {
    std::optional<Glob> first, second; // name of what is denied; or files and host
    std::string what, versions, reason;
    Place place;
};

std::optional<Glob> glob_of(const Cell& cell);
// A path or a url up to its last part.
std::string_view last_part(std::string_view path);
// Every `image` of values files, as rows for used_images.
Table image_values(const Repository& repository);

} // namespace lockstep

// What the tables of the config deny, and everything that the denials are compared with: for the rules on denied
// versions and on denied hosts.
#pragma once
#include "checks/checks.h"
#include "deploy/used_images.h"
#include <optional>

namespace lockstep {

// A row of the config's table.
struct Denial {
    std::optional<Glob> first, second; // name of what is denied; or files and host
    std::string what, versions, reason;
    Place place;
};

std::optional<Glob> glob_of(const Cell& cell);
// An entry that cannot be read guards nothing, and that must be said.
void report_unreadable(RuleOutcome& outcome, Place place, const std::string& lacks, std::size_t number);
std::string because(const std::string& reason);

// A path or a url up to its last part.
std::string_view last_part(std::string_view path);

} // namespace lockstep

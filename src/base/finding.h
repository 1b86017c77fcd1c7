// What a rule says about the repository: one message, one primary place, and every other place involved.
#pragma once
#include "base/span.h"
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

enum class Severity : std::uint8_t { off, note, warning, error };

std::string_view to_string(Severity severity);
std::optional<Severity> parse_severity(std::string_view text); // "off", "note", "warning", "error"

struct Related {
    Place place;
    std::string message;
};

// A replacement of some bytes of the repository.
struct Edit {
    Place place;
    std::string text;
};

// Places that many others share: a finding names the first of them, and stays readable.
inline constexpr std::size_t most_related = 20;

// Findings of one rule that look for what was meant (`did you mean …`): it is for slips, not for thousands of them.
inline constexpr std::size_t most_hints = 100;

struct Finding {
    std::string rule;
    Severity severity = Severity::error;
    std::string message;
    Place place;
    std::vector<Related> related;
    std::string key;   // stable: rule and subject, no line numbers
    std::string cause; // findings of one rule and severity with the same cause are one finding with several places
    std::vector<Edit> edits = {}; // sometimes: what would put it right, all of them together
    // Keys of other rules' findings that this one says better (a two-tree finding replaces the snapshot finding on the
    // same edit). They are taken out, and what silences them silences this one.
    std::vector<std::string> replaces = {};
    // Where something other than the primary place must be applied for the finding to weigh: the list that leaves a
    // file out, not the file.
    Place proof = {};
    // What proves that a cluster gets the thing: the cluster, and the places that lead to it from the top down.
    std::string cluster = {};
    std::vector<Place> chain = {};
};

} // namespace lockstep

// What a rule says about the repository: one message, one primary place, and every other place involved.
#pragma once
#include "base/span.h"
#include <memory>
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

// How a cluster gets a thing: one chain, from the top down, and every cluster that gets it for sure.
struct AppliedBy {
    struct Link {
        std::string what; // `Kustomization flux-system/apps`, `apps/prod/kustomization.yaml`
        Place place;      // what leads on: spec.path, the entry of a list
        enum class As : std::uint8_t {
            part,    // of what is applied
            applies, // it applies what follows
            begins,  // the cluster begins with it
        } as = As::part;
    };
    std::vector<Link> chain = {};
    std::vector<std::string> clusters = {}; // that of the chain first; none where the tree does not say what is applied
};

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
    // Of the fleet: what the finding is about, where the object at its place is applied in other ways as well.
    std::vector<std::uint32_t> instances = {};
    // What proves that a cluster gets the thing; none where nothing has to be proven, or nothing says what is applied.
    std::shared_ptr<const AppliedBy> applied_by = {};
};

} // namespace lockstep

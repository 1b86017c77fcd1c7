// What a list and the names in it say about a file that is not listed: a member of a series, an entry under its old
// name, a file that says itself why.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// `x`, `x-v2`, `x-3` without ending: the common part, the number (1 for none), and whether a `v` is before it.
struct SeriesName {
    std::string_view stem;
    unsigned number = 1;
    bool version = false;
};
SeriesName series_name(std::string_view file_name);

// Entries of a YAML list that are commented out: `# - ./web/ks.yaml`.
std::vector<std::string_view> commented_entries(std::string_view text);
// The word with which a comment says that something was left out on purpose: moved, removed, disabled. Empty for none.
std::string said_to_be_left_out(std::string_view text);
// The words with which a comment says that what is called so is there without the list. Empty for none.
std::string said_to_be_made_by_hand(std::string_view text, std::string_view name);

// The word of a name with which people put something aside: `old` of `old-vault-proxy`. Empty for none.
std::string_view word_for_put_aside(std::string_view name);

// Two names that share two thirds of their words: `allow-ingress-web.yaml` and `permit-ingress-web.yaml`.
bool are_much_alike(std::string_view a, std::string_view b);

// The comment at the head of a file mentions a kustomization; the schema line of editors does not count.
bool head_names_kustomization(std::string_view text);

} // namespace lockstep

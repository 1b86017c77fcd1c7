// Which Helm's rules count. What changed between its releases has a name here, so that nobody else compares numbers.
#pragma once
#include <compare>

namespace lockstep {

struct HelmVersion {
    unsigned major = 3, minor = 21, patch = 4;

    friend constexpr auto operator<=>(const HelmVersion&, const HelmVersion&) = default;

    constexpr bool is_4() const { return major >= 4; }
    // Both lines went on side by side: `three` is the first of Helm 3 that has it, `four` the first of Helm 4.
    constexpr bool has(HelmVersion three, HelmVersion four) const { return *this >= (is_4() ? four : three); }

    // A null of a parent chart reaches the values that its charts' own are laid under.
    constexpr bool imports_keep_nulls() const { return has({3, 13, 0}, {4, 0, 0}); }
    // A null below a child chart's name is for the child to decide about.
    constexpr bool children_decide_nulls() const { return has({3, 17, 1}, {4, 0, 0}); }
    // A null where the chart has no such key is compared with the chart's values, too, …
    constexpr bool unmatched_nulls_count() const { return has({3, 19, 5}, {4, 0, 0}); }
    // … and stays where there is nothing that it takes away.
    constexpr bool unmatched_nulls_stay() const { return has({3, 20, 1}, {4, 1, 3}); }
    // A null among a chart's own values says nothing.
    constexpr bool own_nulls_are_dropped() const { return major > 4 || (major == 4 && minor >= 2); }
    // Documents are cut at every line with `---`, and what is behind one is kept.
    constexpr bool cuts_at_lines() const { return own_nulls_are_dropped(); }
    // `--set a[0` says nothing, and is no error.
    constexpr bool unclosed_index_passes() const { return *this >= HelmVersion{4, 1, 0}; }
    // Two names of one chart share what it declares about the charts inside.
    constexpr bool aliases_share_declarations() const { return !is_4(); }
};

constexpr HelmVersion newest_helm3{3, 21, 4}, newest_helm4{4, 2, 4};

} // namespace lockstep

// Finds the known word that a mistyped one was meant to be, for hints in errors.
#include "base/suggest.h"
#include <algorithm>

namespace lockstep {

namespace {

char fold(char c) {
    if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
    return c == '_' ? '-' : c; // must_apply is meant to be must-apply
}

std::string folded(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), fold);
    return result;
}

// How many edits still count as a slip: in a word of two letters every other such word would be near.
std::size_t allowed(std::size_t length) {
    return length < 3 ? 0 : std::min<std::size_t>(length / 3, 3);
}

} // namespace

// Only the band around the diagonal can hold an answer within the limit: names are compared by the million.
std::size_t edits_between(std::string_view a, std::string_view b, std::size_t limit) {
    while (!a.empty() && !b.empty() && a.front() == b.front()) {
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    while (!a.empty() && !b.empty() && a.back() == b.back()) {
        a.remove_suffix(1);
        b.remove_suffix(1);
    }
    limit = std::min(limit, std::max(a.size(), b.size()));
    const std::size_t beyond = limit + 1;
    if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit) return beyond;
    std::vector<std::size_t> before(b.size() + 1, beyond), above(b.size() + 1, beyond), row(b.size() + 1, beyond);
    for (std::size_t j = 0; j <= std::min(limit, b.size()); ++j)
        above[j] = j;
    bool lost_before = false;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        const std::size_t first = i > limit ? i - limit : 1, last = std::min(i + limit, b.size());
        row[first - 1] = first == 1 ? i : beyond;
        std::size_t least = row[first - 1];
        for (std::size_t j = first; j <= last; ++j) {
            const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
            least = std::min(least, row[j]);
        }
        if (last < b.size()) row[last + 1] = beyond;
        const bool lost = least > limit;
        if (lost && lost_before) return beyond; // a swap looks two rows back
        lost_before = lost;
        std::swap(before, above);
        std::swap(above, row);
    }
    return std::min(above[b.size()], beyond);
}

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known) {
    const std::string wanted = folded(word);
    const std::string* best = nullptr;
    std::size_t best_distance = 0;
    for (const std::string& candidate : known) {
        const std::string other = folded(candidate);
        const std::size_t limit = allowed(std::max(wanted.size(), other.size()));
        const std::size_t gap = std::max(wanted.size(), other.size()) - std::min(wanted.size(), other.size());
        if (gap > limit) continue;
        const std::size_t edits = edits_between(wanted, other, limit);
        if (edits > limit || (best != nullptr && edits >= best_distance)) continue;
        best = &candidate;
        best_distance = edits;
    }
    if (best == nullptr && wanted.size() >= 3) {
        for (const std::string& candidate : known) {
            if (!folded(candidate).starts_with(wanted)) continue;
            if (best == nullptr || candidate.size() < best->size()) best = &candidate;
        }
    }
    if (best == nullptr) return std::nullopt;
    return *best;
}

} // namespace lockstep

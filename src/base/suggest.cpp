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

std::size_t edits_between(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        above[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, above);
        std::swap(above, row);
    }
    return above[b.size()];
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
        const std::size_t edits = edits_between(wanted, other);
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

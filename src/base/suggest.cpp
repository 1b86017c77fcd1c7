// Finds the known word that a mistyped one was meant to be, for hints in errors.
#include "base/suggest.h"
#include <algorithm>
#include <array>
#include <bit>

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

std::uint64_t letters_of(std::string_view word) {
    std::uint64_t letters = 0;
    for (char c : word)
        letters |= std::uint64_t{1} << (static_cast<unsigned char>(c) % 64);
    return letters;
}

// False where they are further apart for certain: an edit takes away one letter at most, and brings one.
bool may_be_near(const std::string& a, std::uint64_t letters_of_a, const std::string& b, std::uint64_t letters_of_b,
                 std::size_t limit) {
    return std::max(a.size(), b.size()) - std::min(a.size(), b.size()) <= limit &&
           static_cast<std::size_t>(std::popcount(letters_of_a ^ letters_of_b)) <= 2 * limit;
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
    const std::size_t width = b.size() + 1;
    std::array<std::size_t, 3 * 65> small; // most names fit: no memory is asked for
    std::vector<std::size_t> large;
    if (3 * width > small.size()) large.resize(3 * width);
    std::size_t *before = large.empty() ? small.data() : large.data(), *above = before + width, *row = above + width;
    std::fill(before, before + 3 * width, beyond);
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
    return NearNames(known).closest(word);
}

NearNames::NearNames(std::vector<std::string> names) : names_(std::move(names)) {
    for (const std::string& name : names_) {
        std::string plain = folded(name);
        const std::uint64_t letters = letters_of(plain);
        folded_.push_back({std::move(plain), letters});
    }
}

std::optional<std::string> NearNames::closest(std::string_view word) const {
    const std::string wanted = folded(word);
    const std::uint64_t letters = letters_of(wanted);
    std::optional<std::size_t> best;
    std::size_t best_edits = 0;
    for (std::size_t i = 0; i < folded_.size(); ++i) {
        const Name& other = folded_[i];
        std::size_t limit = allowed(std::max(wanted.size(), other.folded.size()));
        if (best) limit = std::min(limit, best_edits - 1);
        if (!may_be_near(wanted, letters, other.folded, other.letters, limit)) continue;
        const std::size_t edits = edits_between(wanted, other.folded, limit);
        if (edits > limit) continue;
        best = i;
        best_edits = edits;
        if (edits == 0) break;
    }
    if (best) return names_[*best];
    for (std::size_t i = 0; i < folded_.size() && wanted.size() >= 3; ++i)
        if (folded_[i].folded.starts_with(wanted) && (!best || names_[i].size() < names_[*best].size())) best = i;
    return best ? std::optional(names_[*best]) : std::nullopt;
}

std::vector<std::string> NearNames::within(std::string_view word, std::size_t limit) const {
    const std::string wanted = folded(word);
    const std::uint64_t letters = letters_of(wanted);
    std::vector<std::string> near;
    for (std::size_t i = 0; i < folded_.size(); ++i)
        if (may_be_near(wanted, letters, folded_[i].folded, folded_[i].letters, limit) &&
            edits_between(wanted, folded_[i].folded, limit) <= limit)
            near.push_back(names_[i]);
    return near;
}

} // namespace lockstep

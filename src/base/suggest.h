// «did you mean»: the nearest of the known words, when one is near.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// Insertions, deletions, replacements and swaps of neighbours that make one word of the other. More than
// `limit` of them: some number above it.
std::size_t edits_between(std::string_view a, std::string_view b, std::size_t limit = std::string_view::npos);

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known);

// The same over names that are asked for many times: most are passed over by their letters alone. Capitals and `_` for
// `-` are no difference.
class NearNames {
public:
    explicit NearNames(std::vector<std::string> names);

    std::optional<std::string> closest(std::string_view word) const; // as `nearest` says
    std::vector<std::string> within(std::string_view word, std::size_t limit) const;

private:
    struct Name {
        std::string folded;
        std::uint64_t letters; // a bit for each
    };
    std::vector<std::string> names_;
    std::vector<Name> folded_;
};

} // namespace lockstep

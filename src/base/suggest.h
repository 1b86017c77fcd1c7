// «did you mean»: the nearest of the known words, when one is near.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// Insertions, deletions, replacements and swaps of neighbours that make one word of the other. More than
// `limit` of them: some number above it.
std::size_t edits_between(std::string_view a, std::string_view b, std::size_t limit = std::string_view::npos);

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known);

} // namespace lockstep

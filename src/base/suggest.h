// «did you mean»: the nearest of the known words, when one is near.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known);

} // namespace lockstep

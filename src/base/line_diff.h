// Which lines of a text a change touched: what the filters for changed lines ask.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace lockstep {

struct LineRange { // 1-based, both ends included
    std::uint32_t first = 1, last = 1;
    friend bool operator==(const LineRange&, const LineRange&) = default;
};

// Lines of `after` that are new or differ, sorted; where lines only went, those beside the gap. A line's break does
// not count. Texts that differ in very many lines are not worked out: all between the first and the last difference is
// changed.
std::vector<LineRange> changed_lines(std::string_view before, std::string_view after);

} // namespace lockstep

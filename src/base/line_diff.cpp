// Myers' greedy comparison of lines, between what is the same at the front and at the back, up to a limit.
#include "base/line_diff.h"
#include <algorithm>
#include <unordered_map>

namespace lockstep {

namespace {

constexpr int most_edits = 1000; // time and memory are quadratic in it: 4 MB

using Lines = std::vector<std::uint32_t>; // numbers that stand for texts

Lines numbered(std::string_view text, std::unordered_map<std::string_view, std::uint32_t>& numbers) {
    Lines lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(numbers.emplace(line, static_cast<std::uint32_t>(numbers.size())).first->second);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

// A step from before to after: lines [before_begin, before_end) became [begin, end), counted from 0.
struct Hunk {
    int before_begin, before_end, begin, end;
};

// Hunks of a[0, n) against b[0, m); false when there are more edits than the limit.
bool compare(const std::uint32_t* a, int n, const std::uint32_t* b, int m, std::vector<Hunk>& hunks) {
    const int limit = std::min(n + m, most_edits);
    std::vector<std::vector<int>> trace; // reach by diagonal, before each round
    std::vector<int> reach(static_cast<std::size_t>(2 * limit + 3), 0);
    auto at = [&](std::vector<int>& row, int diagonal, int middle) -> int& {
        return row[static_cast<std::size_t>(diagonal + middle)];
    };
    int edits = 0;
    for (bool done = false; !done; ++edits) {
        if (edits > limit) return false;
        trace.emplace_back(reach.begin() + (limit + 1 - edits - 1), reach.begin() + (limit + 1 + edits + 2));
        for (int k = -edits; k <= edits && !done; k += 2) {
            const bool down = k == -edits || (k != edits && at(reach, k - 1, limit + 1) < at(reach, k + 1, limit + 1));
            int x = down ? at(reach, k + 1, limit + 1) : at(reach, k - 1, limit + 1) + 1;
            int y = x - k;
            while (x < n && y < m && a[x] == b[y])
                ++x, ++y;
            at(reach, k, limit + 1) = x;
            done = x >= n && y >= m;
        }
    }
    int x = n, y = m;
    for (int d = edits - 1; d >= 0; --d) { // back along the way that was taken
        std::vector<int>& row = trace[static_cast<std::size_t>(d)];
        const int middle = d + 1, k = x - y;
        const bool down = k == -d || (k != d && at(row, k - 1, middle) < at(row, k + 1, middle));
        const int before_k = down ? k + 1 : k - 1;
        const int before_x = d == 0 ? 0 : at(row, before_k, middle);
        const int before_y = d == 0 ? 0 : before_x - before_k;
        if (d > 0) {
            const Hunk step{before_x, down ? before_x : before_x + 1, before_y, down ? before_y + 1 : before_y};
            if (!hunks.empty() && hunks.back().before_begin == step.before_end && hunks.back().begin == step.end) {
                hunks.back().before_begin = step.before_begin;
                hunks.back().begin = step.begin;
            } else {
                hunks.push_back(step);
            }
        }
        x = before_x;
        y = before_y;
    }
    std::reverse(hunks.begin(), hunks.end());
    return true;
}

} // namespace

std::vector<LineRange> changed_lines(std::string_view before, std::string_view after) {
    if (before == after) return {};
    std::unordered_map<std::string_view, std::uint32_t> numbers;
    const Lines a = numbered(before, numbers), b = numbered(after, numbers);
    std::size_t front = 0, back = 0;
    const std::size_t least = std::min(a.size(), b.size());
    while (front < least && a[front] == b[front])
        ++front;
    while (back < least - front && a[a.size() - back - 1] == b[b.size() - back - 1])
        ++back;
    const int n = static_cast<int>(a.size() - front - back), m = static_cast<int>(b.size() - front - back);
    std::vector<Hunk> hunks;
    if (n == 0 && m == 0) return {}; // line breaks alone
    if (n == 0 || m == 0 || !compare(a.data() + front, n, b.data() + front, m, hunks)) hunks = {{0, n, 0, m}};

    const auto count = static_cast<std::uint32_t>(b.size());
    std::vector<LineRange> ranges;
    for (const Hunk& hunk : hunks) {
        const auto begin = static_cast<std::uint32_t>(front) + static_cast<std::uint32_t>(hunk.begin);
        const auto end = static_cast<std::uint32_t>(front) + static_cast<std::uint32_t>(hunk.end);
        LineRange range{begin + 1, end};
        if (begin == end) range = {std::max(begin, 1U), std::min(end + 1, std::max(count, 1U))};
        if (!ranges.empty() && ranges.back().last + 1 >= range.first)
            ranges.back().last = std::max(ranges.back().last, range.last);
        else
            ranges.push_back(range);
    }
    return ranges;
}

} // namespace lockstep

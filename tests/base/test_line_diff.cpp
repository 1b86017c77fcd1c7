// Changed lines, compared with what can be said of any right answer.
#include "base/line_diff.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <random>
#include <string>

using namespace lockstep;

namespace {

using Ranges = std::vector<LineRange>;

bool is_in(const Ranges& ranges, std::uint32_t line) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [&](const LineRange& range) { return range.first <= line && line <= range.last; });
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

// Lines that did not change must be there before, in the same order.
bool rest_was_there(const std::string& before, const std::string& after, const Ranges& ranges) {
    const auto old = lines_of(before), fresh = lines_of(after);
    std::size_t at = 0;
    for (std::uint32_t line = 1; line <= fresh.size(); ++line) {
        if (is_in(ranges, line)) continue;
        while (at < old.size() && old[at] != fresh[line - 1])
            ++at;
        if (at++ >= old.size()) return false;
    }
    return true;
}

} // namespace

TEST_CASE("changed lines: new, other and gone ones") {
    CHECK(changed_lines("a\nb\nc\n", "a\nb\nc\n").empty());
    CHECK(changed_lines("a\nb\nc\n", "a\nx\nc\n") == Ranges{{2, 2}});
    CHECK(changed_lines("a\nc\n", "a\nb\nc\n") == Ranges{{2, 2}});
    CHECK(changed_lines("a\nb\nc\n", "a\nc\n") == Ranges{{1, 2}}); // the neighbours of what went
    CHECK(changed_lines("a\nb\n", "b\n") == Ranges{{1, 1}});
    CHECK(changed_lines("a\nb\n", "a\n") == Ranges{{1, 1}});
    CHECK(changed_lines("a\n", "") == Ranges{{1, 1}});
    CHECK(changed_lines("", "a\nb\n") == Ranges{{1, 2}});
    CHECK(changed_lines("1\n2\n3\n4\n5\n6\n7\n", "1\nx\n3\n4\n5\ny\nz\n7\n") == Ranges{{2, 2}, {6, 7}});
    CHECK(changed_lines("k: 1\nv: 1\nk: 2\nv: 2\n", "k: 0\nv: 0\nk: 1\nv: 1\nk: 2\nv: 2\n") == Ranges{{1, 2}});
}

TEST_CASE("changed lines: line breaks do not count") {
    CHECK(changed_lines("a\nb\n", "a\r\nb\r\n").empty());
    CHECK(changed_lines("a\nb", "a\nb\n").empty());
}

TEST_CASE("changed lines: whatever is left out was there before, in its order") {
    std::mt19937 random(7);
    for (int round = 0; round < 3000; ++round) {
        std::string before, after;
        const std::size_t size = random() % 12;
        for (std::size_t i = 0; i < size; ++i) {
            const std::string line = std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
            if (random() % 4 != 0) before += line;
            if (random() % 4 != 0) after += line;
            if (random() % 8 == 0) after += "new\n";
        }
        const Ranges ranges = changed_lines(before, after);
        CHECK_MESSAGE(rest_was_there(before, after, ranges), (before + "-- to\n" + after));
        const auto fresh = lines_of(after);
        for (std::uint32_t line = 1; line <= fresh.size(); ++line)
            if (fresh[line - 1] == "new") CHECK(is_in(ranges, line));
    }
}

TEST_CASE("changed lines: beyond the limit all in the middle is changed, in good time") {
    std::string before = "same\n", after = "same\n";
    for (int i = 0; i < 100000; ++i) {
        before += "b" + std::to_string(i) + "\n";
        after += "a" + std::to_string(i) + "\n";
    }
    CHECK(changed_lines(before + "end\n", after + "end\n") == Ranges{{2, 100001}});
}

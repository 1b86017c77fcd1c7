// Lines too wide for a terminal: the span is always in the part that is shown.
#include "report/snippet.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <random>
#include <string>

using namespace lockstep;

namespace {

std::string show(std::string_view line, std::size_t begin, std::size_t end) {
    std::string out;
    append_snippet(out, {1, line, begin, end}, {});
    return out;
}

std::string repeat(std::string_view text, std::size_t count) {
    std::string out;
    while (count-- > 0)
        out += text;
    return out;
}

} // namespace

TEST_CASE("a line of 160 columns is whole, one of 161 is cut") {
    const std::string line = repeat("x", 1) + repeat("=", 159);
    CHECK(show(line, 0, 1) == "    1 | " + line + "\n      | ^\n");
    CHECK(show(line + "=", 0, 1) == "    1 | x" + repeat("=", 158) + "…\n      | ^\n");
}

TEST_CASE("a span in the middle of a long line is in a window of 160 columns") {
    const std::string line = repeat("a", 500) + "SPAN" + repeat("b", 500);
    CHECK(show(line, 500, 504) ==
          "    1 | …" + repeat("a", 60) + "SPAN" + repeat("b", 94) + "…\n      |  " + repeat(" ", 60) + "^^^^\n");
}

TEST_CASE("a span at the end of a long line is not cut on the right") {
    const std::string line = repeat("a", 500) + "SPAN";
    CHECK(show(line, 500, 504) == "    1 | …" + repeat("a", 60) + "SPAN\n      |  " + repeat(" ", 60) + "^^^^\n");
    CHECK(show(line, 504, 504) == "    1 | …" + repeat("a", 56) + "SPAN\n      |  " + repeat(" ", 60) + "^\n");
}

TEST_CASE("a span longer than the window is marked as far as it is shown") {
    const std::string line = repeat("a", 1000);
    CHECK(show(line, 0, 1000) == "    1 | " + repeat("a", 159) + "…\n      | " + repeat("^", 159) + "\n");
}

TEST_CASE("the cut never falls into a code point") {
    const std::string line = repeat("ä", 500) + "版" + repeat("版", 500);
    CHECK(show(line, 1000, 1003) ==
          "    1 | …" + repeat("ä", 60) + repeat("版", 49) + "…\n      |  " + repeat(" ", 60) + "^^\n");
}

TEST_CASE("a line of nothing but combining marks stays short") {
    const std::string line = repeat("a", 1) + repeat("\u0301", 1'000'000) + "b";
    CHECK(show(line, 0, 1).size() < 1000);
    CHECK(show(line, line.size() - 1, line.size()).size() < 1500);
}

TEST_CASE("whatever the bytes are, two lines come out, bounded and without a byte that acts on a terminal") {
    std::mt19937 random(20240607);
    const std::string_view pieces[] = {"a",        "\t",    "\x1b[31m", "\xff", "\x80", "\xc3",   "\xe2\x80",
                                       "\r",       "ä",     "版",       "\n",   "##[",  "\u0301", "\xf0\x9f\x98\x80",
                                       "\xc2\x9b", "\u202e"};
    for (int round = 0; round < 3000; ++round) {
        std::string line;
        for (std::size_t count = 1 + random() % 600; count > 0; --count)
            line += pieces[random() % std::size(pieces)];
        const std::size_t begin = random() % (line.size() + 1);
        const std::size_t end = begin + random() % (line.size() + 1 - begin);
        const std::string out = show(line, begin, end);
        REQUIRE(out.size() < 2500);
        REQUIRE(std::count(out.begin(), out.end(), '\n') == 2);
        REQUIRE(out.find('^') != std::string::npos);
        REQUIRE(std::none_of(out.begin(), out.end(), [](char c) {
            return c != '\n' && c != '\t' && (static_cast<unsigned char>(c) < 0x20 || c == 0x7f);
        }));
        REQUIRE(out.find("\xc2\x9b") == std::string::npos);
        REQUIRE(out.find("##[") == std::string::npos);
        REQUIRE(out.find('\xff') == std::string::npos);
    }
}

// Patterns at the edge of their memory.
#include "base/pattern.h"
#include <ctime>
#include <doctest/doctest.h>

using namespace lockstep;

TEST_CASE("a pattern too large for its memory does not compile, and says what it may have") {
    CHECK(Pattern::compile("a{900}", linted_pattern_memory));
    CHECK_FALSE(Pattern::compile("\\pL{50}", linted_pattern_memory)); // one class of hundreds of ranges
    CHECK(Pattern::compile("\\pL{50}"));
    const auto large = Pattern::compile("(\\pL{50}){20}");
    REQUIRE_FALSE(large);
    CHECK(large.error().hint.find("8 MiB") != std::string::npos);
}

TEST_CASE("running out of memory while matching is not taken for no match") {
    const auto pattern = Pattern::compile("[ab]*a[ab]{40}c", linted_pattern_memory); // 2^40 states
    REQUIRE(pattern);
    std::string text;
    for (std::uint32_t i = 0, random = 1; i < 20'000; ++i, random = random * 1664525U + 1013904223U)
        text += (random >> 16U) % 2 == 0 ? 'a' : 'b';
    CHECK_FALSE(pattern->occurs_in(text));
    text += "a" + std::string(40, 'b') + "c";
    CHECK(pattern->occurs_in(text));
    const auto hit = pattern->search(text);
    REQUIRE(hit);
    CHECK(hit->whole == Span{0, static_cast<std::uint32_t>(text.size())});
}

TEST_CASE("matching takes time in proportion to the text: no pattern makes it try one way after the other") {
    const std::string text(1'000'000, 'a'); // a matcher that goes back would need 2^1000000 steps
    for (const char* words : {"^(a*)*$b", "(a|aa)+c", "(a|a?)+$d", "^(([a-z])+.)+[A-Z]([a-z])+$"}) {
        const auto pattern = Pattern::compile(words);
        REQUIRE(pattern);
        const std::clock_t begin = std::clock();
        CHECK_FALSE(pattern->occurs_in(text));
        CHECK(std::clock() - begin < 20 * CLOCKS_PER_SEC);
    }
}

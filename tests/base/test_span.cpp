// Offsets become lines and columns as editors count them.
#include "base/span.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

struct Case {
    std::string_view text;
    std::uint32_t offset;
    Position expected;
};

} // namespace

TEST_CASE("an offset has the line and column an editor shows") {
    const Case cases[] = {
        {"", 0, {1, 1}},
        {"", 99, {1, 1}},
        {"abc", 0, {1, 1}},
        {"abc", 2, {1, 3}},
        {"abc", 3, {1, 4}},
        {"abc", 99, {1, 4}}, // past the end is the end
        {"ab\ncd", 2, {1, 3}},
        {"ab\ncd", 3, {2, 1}},
        {"ab\ncd", 5, {2, 3}}, // a last line without a line break
        {"ab\n", 3, {2, 1}},
        {"ab\n", 99, {2, 1}},
        {"\n\n", 1, {2, 1}},
        {"\n\n", 2, {3, 1}},
        {"ab\r\ncd\r\n", 2, {1, 3}}, // CR and LF both are behind the text
        {"ab\r\ncd\r\n", 3, {1, 3}},
        {"ab\r\ncd\r\n", 4, {2, 1}},
        {"ab\r\ncd\r\n", 8, {3, 1}},
        {"a\rb", 2, {1, 3}}, // a CR alone is text
        {"äöx", 2, {1, 2}},  // columns count characters
        {"äöx", 4, {1, 3}},
        {"äöx", 1, {1, 1}}, // inside a character: that character
        {"€𝄞x", 7, {1, 3}},
        {"€𝄞x", 6, {1, 2}},
        {"é\né", 3, {2, 1}},
        {"é\né", 4, {2, 1}},
        {"é\né", 5, {2, 2}},
    };
    for (const Case& c : cases) {
        CAPTURE(c.text);
        CAPTURE(c.offset);
        const Position got = LineTable(c.text).position(c.offset);
        CHECK(got.line == c.expected.line);
        CHECK(got.column == c.expected.column);
    }
}

TEST_CASE("lines come without their line breaks") {
    const LineTable table("one\r\ntwo\n\nfour");
    REQUIRE(table.line_count() == 4);
    CHECK(table.line(1) == "one");
    CHECK(table.line(2) == "two");
    CHECK(table.line(3).empty());
    CHECK(table.line(4) == "four");
    CHECK(table.line_start(2) == 5);
    CHECK(table.line_start(4) == 10);
}

TEST_CASE("a line that is not there is empty") {
    const LineTable table("one");
    CHECK(table.line(0).empty());
    CHECK(table.line(2).empty());
    CHECK(LineTable("").line(1).empty());
    CHECK(LineTable("").line_count() == 1);
}

TEST_CASE("positions go up with offsets, whatever the bytes") {
    const std::string_view text = "a\xff\x80\x80\r\n\xe2\x82\n\x80\r\r\n\n\xf0\x9f";
    const LineTable table(text);
    Position last{1, 1};
    for (std::uint32_t i = 0; i <= text.size(); ++i) {
        const Position now = table.position(i);
        CHECK(now >= last);
        last = now;
    }
}

TEST_CASE("columns of a very long line are the same as if they were counted one by one, in little time") {
    std::string text = "short\n";
    for (int i = 0; i < 400000; ++i)
        text += i % 3 == 0 ? "\xc3\xa4" : i % 3 == 1 ? "b" : "\xe2\x82\xac";
    text += "\nshort again\n";
    const LineTable table(text);
    std::uint32_t expected = 0, wrong = 0;
    for (std::uint32_t at = 6; at < text.size() && text[at] != '\n'; ++at) {
        if ((static_cast<unsigned char>(text[at]) & 0xc0U) != 0x80U) ++expected;
        if (table.position(at) != Position{2, expected}) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(expected == 400000);
    CHECK(table.position(static_cast<std::uint32_t>(text.size()) - 1) == Position{3, 12});
}

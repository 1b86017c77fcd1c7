// Fingerprints of lines: they must be GitHub's own to the last digit, or every alert is opened anew.
//
// How the expected values came about: a text's units are its UTF-16 code units without blanks and tabs, line ends as
// LF, and 0xFFFF at the end. The hash of a line is u0*37^99 + u1*37^98 + … + u99 modulo 2^64 over the units from the
// line's first one on, zeros behind the end. The last line of a text that ends with a line break is 0xFFFF alone: 65535
// * 37^99 mod 2^64 = c129715d7a2bc9a3. The values were computed with arbitrary precision from the other description of
// the same hash, a window of 100 units that takes one in and lets one go (h = 37*h + in - 37^100*out);
// tests/integration does so again for every fixture.
#include "report/line_hash.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

std::vector<std::string> hashes(std::string_view text, std::uint32_t lines) {
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t i = 1; i <= lines; ++i)
        wanted.push_back(i);
    auto found = github_line_hashes(text, wanted);
    std::vector<std::string> all;
    for (const std::uint32_t line : wanted)
        all.push_back(found[line]);
    return all;
}

using Lines = std::vector<std::string>;

} // namespace

TEST_CASE("the end of the text is a unit of its own, and is all that the last line has") {
    CHECK(hashes("", 1) == Lines{"c129715d7a2bc9a3:1"});
    CHECK(hashes("\n", 2) == Lines{"3c5bef55b72b93c9:1", "c129715d7a2bc9a3:1"});
    CHECK(hashes("a\n  ", 2) == Lines{"243cbaa4685aab12:1", "c129715d7a2bc9a3:1"});
}

TEST_CASE("line ends are alike, blanks and tabs do not count") {
    const Lines expected = {"81b8d8db678b2bbe:1", "ade70578248be16f:1", "c129715d7a2bc9a3:1"};
    for (const char* text : {"a\nb\n", "a\r\nb\r\n", "a\rb\r", " \ta\n\t b \n"})
        CHECK(hashes(text, 3) == expected);
}

TEST_CASE("a blank between CR and LF makes two line ends of them") {
    CHECK(hashes("a\r \nb", 3) == Lines{"67c066a59e652f5e:1", "cc4c43d77869440f:1", "8ee5a81e681643c1:1"});
}

TEST_CASE("lines with the same hundred units are numbered, and the tail differs") {
    std::string text;
    for (int i = 0; i < 12; ++i)
        text += "version: 1.2.3\n"; // 14 units each: eight lines fill a hundred
    const Lines found = hashes(text, 13);
    CHECK(found[0] == "56163c66b341f5ab:1");
    CHECK(found[3] == "56163c66b341f5ab:4");
    CHECK(found[4] == "56163c66b341f5ab:5"); // its hundred units end inside the last line
    CHECK(found[5].substr(0, 16) != "56163c66b341f5ab");
    CHECK(found[12] == "c129715d7a2bc9a3:1");
}

TEST_CASE("what is behind the hundredth unit does not count") {
    const std::string text(100, 'x');
    CHECK(hashes(text + "\ny\n", 1) == hashes(text + "z\n", 1));
    CHECK(hashes(text + "\ny\n", 1) == Lines{"52b56201ffb58620:1"});
    CHECK(hashes(text.substr(1) + "\ny\n", 2) == Lines{"52b56201ffb585b2:1", "c33be7e0cf7c3ca:1"}); // no leading zero
}

TEST_CASE("characters count as UTF-16, a byte order mark too") {
    CHECK(hashes("key: \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\n", 1) == Lines{"3458dde7dbc8279d:1"});
    CHECK(hashes("\xef\xbb\xbf"
                 "a: 1\n",
                 1) == Lines{"b0d247ce31758248:1"});
}

TEST_CASE("bytes that are no UTF-8 count as one replacement character per broken piece") {
    CHECK(hashes("\xe2\x82 x", 1) == hashes("\xef\xbf\xbdx", 1));                          // cut short
    CHECK(hashes("\xff\xfe", 1) == hashes("\xef\xbf\xbd\xef\xbf\xbd", 1));                 // never a character
    CHECK(hashes("\xed\xa0\x80", 1) == hashes("\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", 1)); // half a pair
    CHECK(hashes("\xc0\x80", 1) == hashes("\xef\xbf\xbd\xef\xbf\xbd", 1));                 // longer than need be
}

TEST_CASE("only the lines that were asked for are given, and a line beyond the end has none") {
    const auto found = github_line_hashes("a\nb\n", {2, 9});
    CHECK(found.size() == 2);
    CHECK(found.at(2) == "ade70578248be16f:1");
    CHECK(found.at(9).empty());
}

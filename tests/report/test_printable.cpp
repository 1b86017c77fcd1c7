// Hostile bytes: what a repository holds may be read in a terminal or a build log, and must not act there.
#include "base/printable.h"
#include "sample.h"
#include <doctest/doctest.h>

using namespace lockstep;

TEST_CASE("plain and non-ASCII text is left as it is") {
    CHECK(printable("a: \"b\" \\n {{ .x }} # c ~") == "a: \"b\" \\n {{ .x }} # c ~");
    CHECK(printable("größe 版本 😀 e\u0301") == "größe 版本 😀 e\u0301");
}

TEST_CASE("control characters are spelled out") {
    CHECK(printable("\x1b[31mred") == "\\x1b[31mred");
    CHECK(printable("a\tb\nc\rd\x07\x7f") == "a\\tb\\nc\\rd\\x07\\x7f");
    CHECK(printable(std::string_view("\0", 1)) == "\\x00");
    CHECK(printable("\xc2\x9b"
                    "31m") == "\\u{009b}31m");
}

TEST_CASE("invisible characters and those that turn the reading order are spelled out") {
    CHECK(printable("a\u202eb\u200bc\u2066") == "a\\u{202e}b\\u{200b}c\\u{2066}");
    CHECK(printable("\xf3\xa0\x81\x81") == "\\u{e0041}");
}

TEST_CASE("bytes that are no UTF-8 are spelled out one by one") {
    CHECK(printable("a\xff"
                    "b") == "a\\xffb");
    CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");                         // overlong
    CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");                // a surrogate
    CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");       // above U+10FFFF
    CHECK(printable("\xe7\x89") == "\\xe7\\x89");                         // cut off
    CHECK(printable("\x9b\xe7\x89\x88\x9b") == "\\x9b\xe7\x89\x88\\x9b"); // stray around a whole one
}

TEST_CASE("commands to a build log lose their opening") {
    CHECK(printable("x ##[error]y ###[z] ##vso[task]") == "x \\x23#[error]y #\\x23#[z] \\x23#vso[task]");
    CHECK(printable("## [ok] ##") == "## [ok] ##");
    std::string path;
    append_path(path, "::error file=x::y");
    CHECK(path == "./::error file=x::y");
}

TEST_CASE("no part of a finding sends an escape sequence to the terminal") {
    const std::string evil = "\x1b]0;title\x07";
    const Tree tree = tree_in_memory({{"a" + evil, "x: " + evil + "\r1 \xff\n"}});
    Finding finding = finding_at({0, {3, 4}}, "says " + evil + "\n::error::x");
    finding.rule = "rule" + evil;
    finding.related = {{{0, {static_cast<std::uint32_t>(4 + evil.size()), 99}}, "also " + evil}};
    CHECK(text_of(tree, finding) ==
          "a\\x1b]0;title\\x07:1:4: error: says \\x1b]0;title\\x07\\n::error::x [rule\\x1b]0;title\\x07]\n"
          "    1 | x: \\x1b]0;title\\x07\\r1 \\xff\n"
          "      |    ^^^^\n"
          "  a\\x1b]0;title\\x07:1:15: also \\x1b]0;title\\x07\n"
          "      1 | x: \\x1b]0;title\\x07\\r1 \\xff\n"
          "        |                      ------\n");
}

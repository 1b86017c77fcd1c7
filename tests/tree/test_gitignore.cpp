// The language of ignore files, rule by rule.
#include "tree/gitignore.h"
#include <chrono>
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

struct Case {
    std::string_view rules, path; // a path with a last `/` is a folder
    bool ignored;
};

bool ignores(std::string_view rules, std::string_view path) {
    bool is_directory = path.ends_with('/');
    if (is_directory) path.remove_suffix(1);
    return IgnoreRules(rules).verdict(path, is_directory).value_or(false);
}

} // namespace

TEST_CASE("each form of an ignore rule means what git says it means") {
    const Case cases[] = {
        {"foo", "foo", true},
        {"foo", "a/b/foo", true},
        {"foo", "foobar", false},
        {"foo", "a/foo/", true},
        {"/foo", "foo", true},
        {"/foo", "a/foo", false},
        {"foo/", "foo", false},
        {"foo/", "foo/", true},
        {"foo/", "a/foo/", true},
        {"a/foo", "a/foo", true},
        {"a/foo", "b/a/foo", false},
        {"/a/foo/", "a/foo/", true},
        {"", "foo", false},
        {"# foo\n\n  \n", "# foo", false},
        {"\\#foo", "#foo", true},
        {"\\!foo", "!foo", true},
        {"foo  ", "foo", true},
        {"foo\\ ", "foo ", true},
        {"foo\\ ", "foo", false},
        {"foo\\  ", "foo ", true},
        {"foo\t", "foo", false},
        {" foo", " foo", true},
        {"foo\r\nbar\r\n", "foo", true},
        {"\xEF\xBB\xBF"
         "foo",
         "foo", true},
        {"*.log", "a.log", true},
        {"*.log", "x/y/.log", true},
        {"*.log", "a.logs", false},
        {"*", "anything", true},
        {"f*o", "fo", true},
        {"f*o*r", "foxor", true},
        {"f?o", "fxo", true},
        {"f?o", "fo", false},
        {"a/*", "a/b", true},
        {"a/*", "a/b/c", false},
        {"a/*/c", "a/b/c", true},
        {"a/*/c", "a/b/x/c", false},
        {"a?b", "a/b", false},
        {"a/*.x", "a/b/c.x", false},
        {"**/foo", "foo", true},
        {"**/foo", "a/b/foo", true},
        {"**/foo/bar", "x/foo/bar", true},
        {"**/foo/bar", "x/foo/y/bar", false},
        {"a/**", "a/b/c", true},
        {"a/**", "a/", false},
        {"a/**/b", "a/b", true},
        {"a/**/b", "a/x/b", true},
        {"a/**/b", "a/x/y/b", true},
        {"a/**/b", "a/xb", false},
        {"a/**/b/**/c", "a/b/x/b/y/c", true},
        {"a/**/*.x/c", "a/b/q.x/y.x/c", true},
        {"a**b", "axxb", true},
        {"x/a**b", "x/a/b", false},
        {"/**/d*/e", "c/dd/e", true},
        {"[ab]c", "bc", true},
        {"[ab]c", "cc", false},
        {"[!ab]c", "cc", true},
        {"[^ab]c", "ac", false},
        {"[a-c]x", "bx", true},
        {"[a-c]x", "dx", false},
        {"[]-]x", "]x", true},
        {"[]-]x", "-x", true},
        {"[\\]]x", "]x", true},
        {"[[:digit:]]x", "7x", true},
        {"[[:digit:]]x", "ax", false},
        {"[[:nonsense:]]x", "ax", false},
        {"[ab", "[ab", false},
        {"a/[^b]c", "a//c", false},
        {"foo\\", "foo\\", false},
        {"f\\*o", "f*o", true},
        {"f\\*o", "fxo", false},
        {"*.log\n!keep.log", "keep.log", false},
        {"*.log\n!keep.log", "other.log", true},
        {"!keep.log\n*.log", "keep.log", true},
        {"!", "!", false},
        {"/", "a/", false},
        {"foo//", "foo/", false},
        {"caf\xC3\xA9", "caf\xC3\xA9", true},
        {"a\xFF*", "a\xFFz", true},
    };
    for (const Case& c : cases) {
        CAPTURE(c.rules);
        CAPTURE(c.path);
        CHECK(ignores(c.rules, c.path) == c.ignored);
    }
}

TEST_CASE("a deeper ignore file overrules the ones further out, and its paths count from its own folder") {
    auto outer = std::make_shared<const IgnoreScope>(IgnoreScope{"", IgnoreRules("*.tmp\n/sub/only\n"), nullptr});
    IgnoreScope inner{"sub", IgnoreRules("!keep.tmp\n/top\n"), outer};
    CHECK(is_ignored(&inner, "sub/a.tmp", false));
    CHECK_FALSE(is_ignored(&inner, "sub/keep.tmp", false));
    CHECK_FALSE(is_ignored(&inner, "sub/x/keep.tmp", false));
    CHECK(is_ignored(&inner, "sub/only", false));
    CHECK(is_ignored(&inner, "sub/top", false));
    CHECK_FALSE(is_ignored(&inner, "sub/x/top", false));
    CHECK_FALSE(is_ignored(outer.get(), "top", false));
    CHECK(is_ignored(outer.get(), "keep.tmp", false));
    CHECK_FALSE(is_ignored(nullptr, "anything", false));
}

TEST_CASE("a pattern made to take for ever does not") {
    std::string stars, deep, path;
    for (int i = 0; i < 40; ++i) {
        stars += "*a";
        deep += "**/a/";
        path += "a/";
    }
    for (int i = 0; i < 5; ++i)
        path += path.substr(0, 200);
    std::string letters(2000, 'a');
    auto start = std::chrono::steady_clock::now();
    CHECK_FALSE(ignores(stars + "b", letters));
    CHECK_FALSE(ignores(deep + "b", path + "c"));
    CHECK_FALSE(ignores("x/" + stars + "b", "x/" + letters));
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}

// Patterns take the paths that their authors mean, and captures say which part was what.
#include "base/glob.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

using Texts = std::vector<std::string>;

Glob compiled(std::string_view pattern) {
    auto glob = Glob::compile(pattern);
    REQUIRE(glob);
    return *glob;
}

struct Case {
    std::string pattern;
    Texts in, out;
};

struct Capture {
    std::string pattern, path;
    Texts expected;
};

} // namespace

TEST_CASE("a pattern takes the whole path or nothing") {
    const Case cases[] = {
        {"Chart.yaml", {"Chart.yaml"}, {"a/Chart.yaml", "Chart.yaml/a", "chart.yaml", "Chart.yaml2", ""}},
        {"/Chart.yaml", {"Chart.yaml"}, {"a/Chart.yaml"}},
        {"./a/b", {"a/b"}, {"b"}},
        {"a/b.yaml", {"a/b.yaml"}, {"b.yaml", "x/a/b.yaml"}},
        {"*.yaml", {"a.yaml", ".yaml"}, {"a/b.yaml", "a.yml", "a.yaml/b"}},
        {"a*c", {"ac", "abc", "abcbc"}, {"a/c", "abcd"}},
        {"*", {"a", ""}, {"a/b"}},
        {"*/*", {"a/b"}, {"a", "a/b/c"}},
        {"a/*/c", {"a/b/c"}, {"a/c", "a/b/b/c"}},
        {"?.md", {"a.md", "ä.md", "€.md"}, {".md", "ab.md", "/.md"}},
        {"a?c", {"abc"}, {"a/c", "ac"}},
        {"*??", {"ab", "äö", "xäö"}, {"ä", "a"}},
        {"**", {"a", "a/b/c"}, {}},
        {"**/x", {"x", "a/x", "a/b/x"}, {"ax", "a/ax", "x/y"}},
        {"**/*.yaml", {"a.yaml", "a/b.yaml", "a/b/c.yaml"}, {"a.yml", "a.yaml/b"}},
        {"**/**/x", {"x", "a/b/x"}, {"ax"}},
        {"dir/**", {"dir/a", "dir/a/b"}, {"dir", "dirx/a", "x/dir/a"}},
        {"a/**/b", {"a/b", "a/x/b", "a/x/y/b"}, {"ab", "a/xb", "x/a/b"}},
        {"a/**/b/**/c", {"a/b/c", "a/b/b/c", "a/x/b/y/z/c"}, {"a/c", "a/x/c"}},
        {"**/a/*/c/**", {"a/b/c/d", "x/a/b/c/d/e"}, {"a/c/d", "a/b/c"}},
        {"a**b", {"ab", "axb", "a/x/b"}, {"a", "xab"}},
        {"**.yaml", {"a.yaml", "a/b.yaml"}, {"a.yml"}},
        {"*.{yaml,yml}", {"a.yaml", "a.yml"}, {"a.json", "a.yaml,yml", "a/b.yml"}},
        {"**/*.{yaml,yml,tftpl}", {"a/b.yml", "b.tftpl"}, {"a/b.tf"}},
        {"{a,b/c}/d", {"a/d", "b/c/d"}, {"b/d", "c/d"}},
        {"{a*,b?}/{x,y}", {"abc/x", "bz/y", "a/x"}, {"b/x", "abc/z"}},
        {"{a,{b,c}d}e", {"ae", "bde", "cde"}, {"de", "ade"}},
        {"a{,.bak}", {"a", "a.bak"}, {"a."}},
        {"{**/a,b}/c", {"a/c", "x/y/a/c", "b/c"}, {"x/b/c", "xa/c"}},
        {"{a/,b/}**/c", {"a/c", "b/x/c"}, {"ac", "c"}},
        {"{a,b}{c,d}{e,f}", {"ace", "bdf", "ade"}, {"abe", "ac"}},
        {"[a-c]x", {"ax", "cx"}, {"dx", "x", "Ax"}},
        {"[!a-c]x", {"dx", "äx"}, {"ax", "/x"}},
        {"[^a]x", {"bx"}, {"ax"}},
        {"[]a]x", {"]x", "ax"}, {"bx"}},
        {"[a-]x", {"-x", "ax"}, {"bx"}},
        {"[ä-ü]x", {"öx"}, {"ax", "zx"}},
        {"[\\]]x", {"]x"}, {"\\x"}},
        {"a[!b]c", {"axc"}, {"a/c", "abc"}},
        {"\\*", {"*"}, {"a"}},
        {"\\{a,b\\}", {"{a,b}"}, {"a"}},
        {"{a\\,b,c}", {"a,b", "c"}, {"a"}},
        {"{[,],x}", {",", "x"}, {"["}},
        {"a,b", {"a,b"}, {"a"}},
        {"caf\xc3\xa9/*", {"caf\xc3\xa9/x"}, {"cafe/x"}},
    };
    for (const Case& c : cases) {
        CAPTURE(c.pattern);
        const Glob glob = compiled(c.pattern);
        CHECK(glob.pattern() == c.pattern);
        for (const bool expected : {true, false}) {
            for (const std::string& path : expected ? c.in : c.out) {
                CAPTURE(path);
                std::vector<std::string> captures;
                CHECK(glob.matches(path) == expected);
                CHECK(glob.match(path, captures) == expected);
            }
        }
    }
}

TEST_CASE("captures hold what was in their place") {
    const Capture cases[] = {
        {"{area}/{name}/blueprint.yaml", "platform/cilium/blueprint.yaml", {"platform", "cilium"}},
        {"{area}/{name}/chart/Chart.yaml", "a/b/chart/Chart.yaml", {"a", "b"}},
        {"{name}.yaml", "apps.yaml", {"apps"}},
        {"x-{name}-y.{ext}", "x-a-b-y.tar.gz", {"a-b", "tar.gz"}},
        {"{a}-{b}", "1-2-3", {"1-2", "3"}}, // the first takes as much as it can
        {"{a}{b}", "xyz", {"xy", "z"}},
        {"{a}{b}", "xö", {"x", "ö"}},
        {"{dir**}/Chart.yaml", "Chart.yaml", {""}},
        {"{dir**}/Chart.yaml", "a/Chart.yaml", {"a"}},
        {"{dir**}/Chart.yaml", "a/b/c/Chart.yaml", {"a/b/c"}},
        {"{dir**}/charts/{name}/Chart.yaml", "a/b/charts/c/Chart.yaml", {"a/b", "c"}},
        {"{dir**}/{name}/**/*.yaml", "a/b/c.yaml", {"a", "b"}},
        {"clusters/{rest**}", "clusters/a/b.yaml", {"a/b.yaml"}},
        {"clusters/{rest**}/x", "clusters/x", {""}},
        {"{a**}/{b**}/c", "x/y/c", {"x/y", ""}},
        {"**/charts/{name}/**", "a/charts/b/charts/c/x.yaml", {"c"}},
        {"{n}/{n}.yaml", "app/app.yaml", {"app"}},
        {"{n}/*-{n}", "a-a/b-a-a", {"a-a"}},
        {"{n}/x{n}{m}", "a/xab", {"a", "b"}},
        {"{d**}/x/{d**}/y", "a/b/x/a/b/y", {"a/b"}},
        {"**/{n}/**/{n}.yaml", "x/a/b/c/a.yaml", {"a"}},
        {"{{n}.yaml,{n}.yml}", "a.yml", {"a"}},
        {"{{n}.yaml,x}/{m}", "x/1", {"", "1"}},
        {"{a,b}/{name}", "b/c", {"c"}},
    };
    for (const Capture& c : cases) {
        CAPTURE(c.pattern);
        CAPTURE(c.path);
        std::vector<std::string> captures = {"left over"};
        REQUIRE(compiled(c.pattern).match(c.path, captures));
        CHECK(captures == c.expected);
    }
}

TEST_CASE("a capture does not take nothing, a slash, or two texts for one name") {
    const std::pair<std::string, std::string> cases[] = {
        {"{name}.yaml", ".yaml"},           {"{name}.yaml", "a/b.yaml"},
        {"{n}/{n}.yaml", "app/other.yaml"}, {"a/{rest**}", "a"},
        {"{area}/{name}/x", "a/x"},         {"{area}/{name}/x", "a/b/c/x"},
        {"{d**}/x/{d**}/y", "a/x/b/y"},     {"{d**}/Chart.yaml", "aChart.yaml"},
        {"{n**}/{n}.yaml", "a/b/a.yaml"},
    };
    for (const auto& c : cases) {
        const std::string &pattern = c.first, &path = c.second;
        CAPTURE(pattern);
        CAPTURE(path);
        std::vector<std::string> captures = {"untouched"};
        CHECK_FALSE(compiled(pattern).match(path, captures));
        CHECK(captures == Texts{"untouched"});
    }
}

TEST_CASE("names of captures come in the order of the pattern, each once") {
    CHECK(compiled("{b}/{a}/{b}/{c**}").capture_names() == Texts{"b", "a", "c"});
    CHECK(compiled("**/*.yaml").capture_names().empty());
}

TEST_CASE("a bad pattern is refused with its column") {
    struct Bad {
        std::string pattern, part;
    };
    const Bad cases[] = {
        {"", "empty"},
        {"/", "empty"},
        {"a/{name", "column 3: `{` without `}`"},
        {"{a,b", "column 1: `{` without `}`"},
        {"{a,{b,c}", "column 1: `{` without `}`"},
        {"a}", "column 2: `}` without `{`"},
        {"é/{}", "column 3: a capture needs a name"},
        {"{**}/a", "column 1: a capture needs a name"},
        {"{a b}", "column 1: `a b` is not a name"},
        {"{*.yaml}", "is not a name"},
        {"x{a**}/b", "column 2: `{a**}` takes whole segments"},
        {"{a**}.yaml", "takes whole segments"},
        {"a[b", "column 2: `[` without `]`"},
        {"a[]", "column 2: `[` without `]`"},
        {"a[", "column 2: `[` without `]`"},
        {"[a-", "column 1: `[` without `]`"},
        {"[a\\", "column 1: `[` without `]`"},
        {"[z-a]", "column 2: the range runs backwards"},
        {"[[:alpha:]]", "column 2: named classes"},
        {"a\\", "column 2: `\\` at the end"},
    };
    for (const Bad& c : cases) {
        CAPTURE(c.pattern);
        const auto glob = Glob::compile(c.pattern);
        REQUIRE_FALSE(glob);
        CAPTURE(glob.error().message);
        CHECK(glob.error().message.find(c.part) != std::string::npos);
        CHECK(glob.error().message.find("`" + c.pattern + "`") != std::string::npos);
    }
    CHECK_FALSE(Glob::compile(std::string(1025, 'a')));
    CHECK(Glob::compile(std::string(1024, 'a')));
}

TEST_CASE("a copy of a glob takes the same paths") {
    const Glob first = compiled("*.yaml");
    Glob second = compiled("x");
    second = first;
    const Glob third = second;
    CHECK(second.matches("a.yaml"));
    CHECK(third.matches("a.yaml"));
    CHECK(first.matches("a.yaml"));
}

TEST_CASE("names that begin with bytes of no character are matched and captured like others") {
    for (const char* name : {"\x80", "\xbf.yaml", "\x9f\x80x", "\xff\xfe"}) {
        CAPTURE(name);
        const std::string path = std::string("apps/") + name + "/a.yaml";
        for (const char* pattern :
             {"**/*.yaml", "apps/*/a.yaml", "{dir**}/a.yaml", "apps/{name}/a.yaml", "**/{name}/a.yaml"}) {
            CAPTURE(pattern);
            const auto glob = Glob::compile(pattern);
            REQUIRE(glob);
            CHECK(glob->matches(path));
        }
        std::vector<std::string> captures;
        CHECK(Glob::compile("apps/{name}/a.yaml")->match(path, captures));
        CHECK(captures == std::vector<std::string>{name});
        CHECK(Glob::compile("**/*")->matches(name));
    }
}

TEST_CASE("bytes of no character are characters of their own, and one of two bytes is never cut") {
    const auto stray = Glob::compile("**\xb7");
    REQUIRE(stray);
    CHECK(stray->matches("a/\xb7\xb7"));
    CHECK_FALSE(stray->matches("a/\xc2\xb7"));
    for (const char* path : {"a/\xb7\xb7", "a/\xc2\xb7", "\xb7", "a\xb7", "\xc2\xb7\xb7"}) {
        std::vector<std::string> captures;
        CHECK(stray->match(path, captures) == stray->matches(path));
    }
}

TEST_CASE("a comma in a set parts no choice") {
    CHECK_FALSE(Glob::compile("{a[^],]b}")); // neither a choice nor a name
    CHECK_FALSE(Glob::compile("{a[\\],]b}"));
    const auto glob = Glob::compile("{a[^],]b,c}/x");
    REQUIRE(glob);
    CHECK(glob->matches("azb/x"));
    CHECK(glob->matches("c/x"));
    CHECK_FALSE(glob->matches("a,b/x"));
    CHECK_FALSE(Glob::compile("{a/b/+*/[^-]/[^]am,y[^-]z]aym}"));
}

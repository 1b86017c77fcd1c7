// Paths find what they name, in document order, and say what they expected when they cannot be read.
#include "yaml/parse.h"
#include "yaml/path.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

YamlPath path(std::string_view text) {
    Result<YamlPath> result = YamlPath::parse(text);
    REQUIRE_MESSAGE(result, std::string(text));
    return *result;
}

std::string error(std::string_view text) {
    const Result<YamlPath> result = YamlPath::parse(text);
    REQUIRE_FALSE(result);
    return result.error().message;
}

NodeRef root(const YamlText& yaml) {
    return {&yaml, yaml.documents.at(0).root};
}

// What a path finds, as `key=value` or `value` with blanks between.
std::string find(const YamlText& yaml, std::string_view text) {
    std::string out;
    for (const YamlPath::Match& match : path(text).find(root(yaml))) {
        if (!out.empty()) out += ' ';
        if (match.key) out += std::string(match.key.text()) + "=";
        out += match.value.is_scalar() ? std::string(match.value.text()) : match.value.is_mapping() ? "{}" : "[]";
    }
    return out;
}

} // namespace

TEST_CASE("keys, items and fields lead to values") {
    const YamlText yaml = parse_yaml("spec:\n  chart: {version: 1.2.3}\ndependencies:\n- {name: a b, version: 1}\n"
                                     "- {name: flux2, version: 2}\nmeta:\n  a.b/c: d\n  x y: z\n");
    CHECK(find(yaml, "spec.chart.version") == "version=1.2.3");
    CHECK(find(yaml, "spec.nothing.version").empty());
    CHECK(find(yaml, "spec[0]").empty());
    CHECK(find(yaml, "dependencies[name=flux2].version") == "version=2");
    CHECK(find(yaml, "dependencies[name=\"a b\"].version") == "version=1");
    CHECK(find(yaml, "dependencies[name=a b].version") == "version=1");
    CHECK(find(yaml, "dependencies[version='2'].name") == "name=flux2");
    CHECK(find(yaml, "dependencies[name=none]").empty());
    CHECK(find(yaml, "dependencies[0].name") == "name=a b");
    CHECK(find(yaml, "dependencies[2]").empty());
    CHECK(find(yaml, "dependencies[*]") == "{} {}");
    CHECK(find(yaml, "dependencies[*].version") == "version=1 version=2");
    CHECK(find(yaml, "dependencies.*").empty());
    CHECK(find(yaml, "meta[\"a.b/c\"]") == "a.b/c=d");
    CHECK(find(yaml, "meta['x y']") == "x y=z");
    CHECK(find(yaml, "meta.*") == "a.b/c=d x y=z");
    CHECK(find(yaml, "[\"spec\"][\"chart\"].version") == "version=1.2.3");
    CHECK(find(yaml, "") == "{}");
}

TEST_CASE("** is any depth, none included, and finds nothing twice") {
    const YamlText yaml = parse_yaml("a: 1\nb:\n  a: 2\n  c: [{a: 3}, {a: {a: 4}}]\n");
    CHECK(find(yaml, "**.a") == "a=1 a=2 a=3 a={} a=4");
    CHECK(find(yaml, "**.**.a") == "a=1 a=2 a=3 a={} a=4");
    CHECK(find(yaml, "b.**.a") == "a=2 a=3 a={} a=4");
    CHECK(find(yaml, "**.a.a") == "a=4");
    CHECK(find(yaml, "**.a.**.a") == "a=4");
    CHECK(find(yaml, "b.**") == "b={} a=2 c=[] {} a=3 {} a={} a=4");
    CHECK(find(yaml, "**[1]") == "{}");
    CHECK(find(yaml, "**[a=3].a") == "a=3");
    CHECK(find(yaml, "**.*").size() == std::string_view("a=1 b={} a=2 c=[] a=3 a={} a=4").size());
    const YamlText patch = parse_yaml("x:\n- $patch: delete\n");
    CHECK(find(patch, "**.$patch") == "$patch=delete");
}

TEST_CASE("key steps look through aliases and merge keys") {
    const YamlText yaml = parse_yaml("base: &base {name: x, deep: {v: 1}}\nuse: *base\nlist: [*base, {name: y}]\n"
                                     "merged:\n  <<: *base\n  own: 2\n");
    CHECK(find(yaml, "use.deep.v") == "v=1");
    CHECK(find(yaml, "use") == "use={}");
    CHECK(find(yaml, "list[0].name") == "name=x");
    CHECK(find(yaml, "list[name=x].deep.v") == "v=1");
    CHECK(find(yaml, "list[*].name") == "name=x name=y");
    CHECK(find(yaml, "merged.name") == "name=x");
    CHECK(find(yaml, "merged.*") == "own=2");
    CHECK(find(yaml, "**.v") == "v=1");
    CHECK(find(yaml, "use.**.v") == "v=1");
    const YamlText broken = parse_yaml("a: *none\nb: 1\n");
    CHECK(find(broken, "a.b").empty());
    CHECK(find(broken, "**.b") == "b=1");
}

TEST_CASE("aliases of aliases of aliases cost no more than their bytes") {
    std::string text = "a0: &a0 {x: 1}\n";
    for (int i = 1; i < 60; ++i) {
        const std::string name = std::to_string(i), before = std::to_string(i - 1);
        text.append("a").append(name).append(": &a").append(name);
        text.append(" {p: *a").append(before).append(", q: *a").append(before).append("}\n");
    }
    const YamlText yaml = parse_yaml(text);
    CHECK(find(yaml, "**.x") == "x=1");
    CHECK(find(yaml, "**.p.**.x") == "x=1");
    CHECK(find(yaml, "a59.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*") == "p={} q={}");
}

TEST_CASE("find_first gives the first match or nothing") {
    const YamlText yaml = parse_yaml("a: [{v: 1}, {v: 2}]\n");
    REQUIRE(path("a[*].v").find_first(root(yaml)));
    CHECK(path("a[*].v").find_first(root(yaml))->value.text() == "1");
    CHECK_FALSE(path("a[*].w").find_first(root(yaml)));
    CHECK_FALSE(path("a").find_first({}));
    CHECK(path("a").find({}).empty());
}

TEST_CASE("deepest is the last key or item that exists on the way") {
    const YamlText yaml = parse_yaml("spec:\n  chart:\n    name: x\n  list: [{a: 1}, {a: 2, b: 3}]\n");
    CHECK(path("spec.chart.version").deepest(root(yaml)).text() == "chart");
    CHECK(path("spec.chart.name").deepest(root(yaml)).text() == "name");
    CHECK(path("spec.list[a=2].c").deepest(root(yaml)).source() == "{a: 2, b: 3}");
    CHECK(path("spec.list[*].b.c").deepest(root(yaml)).text() == "b");
    CHECK(path("spec.list[a=9].c").deepest(root(yaml)).text() == "list");
    CHECK(path("none.at.all").deepest(root(yaml)).id() == root(yaml).id());
    CHECK(path("**.chart.version").deepest(root(yaml)).text() == "chart");
    CHECK_FALSE(path("a").deepest({}));
}

TEST_CASE("the path of a node leads back to it") {
    const YamlText yaml = parse_yaml("a.b/c:\n- name: x y\n  v: 1\n- v: 2\nq\"\\: {v: 3}\n");
    for (const YamlPath::Match& match : path("**.v").find(root(yaml))) {
        const std::optional<YamlPath::Match> again = path(path_of(match.value)).find_first(root(yaml));
        REQUIRE(again);
        CHECK(again->value.id() == match.value.id());
    }
}

TEST_CASE("errors say what was expected and where") {
    CHECK(error("a..b") ==
          "path `a..b`: expected a key, `*` or `**` (other keys in brackets and quotes: [\"a.b\"]) at column 3");
    CHECK(error(".a").find("at column 1") != std::string::npos);
    CHECK(error("a.").find("at column 3") != std::string::npos);
    CHECK(error("a b") == "path `a b`: expected `.` or `[` at column 2");
    CHECK(error("ä[0]b") == "path `ä[0]b`: expected `.` or `[` at column 5");
    CHECK(error("a[") == "path `a[`: expected `*`, a number, `field=value` or a key in quotes at column 3");
    CHECK(error("a[-1]") == "path `a[-1]`: expected `*`, a number, `field=value` or a key in quotes at column 3");
    CHECK(error("a[=b]") == "path `a[=b]`: expected the name of a field at column 3");
    CHECK(error("a[b=]") == "path `a[b=]`: expected a value at column 5");
    CHECK(error("a[\"b\"") == "path `a[\"b\"`: expected `]` at column 6");
    CHECK(error("a[\"b]") == "path `a[\"b]`: expected a closing \" at column 6");
    CHECK(error("a[99999999999999999999]").find("a number") != std::string::npos);
    std::string many = "a";
    for (int i = 0; i < 80; ++i)
        many += ".a";
    CHECK(error(many).find("no more than 63 steps") != std::string::npos);
}

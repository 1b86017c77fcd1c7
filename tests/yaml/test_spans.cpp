// Where things are: the span of every kind of node is exact to the byte.
#include "yaml/parse.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

NodeRef root_of(const YamlText& yaml) {
    return {&yaml, yaml.documents.at(0).root};
}

} // namespace

TEST_CASE("a scalar's span has its quotes and block header, and no anchor, tag or comment") {
    const YamlText yaml = parse_yaml("a: plain # c\n"
                                     "b: 'q' # c\n"
                                     "c: &x !!str  tagged\n"
                                     "d: !<tag:x,1> \"v\"\n"
                                     "e: &y\n  # why\n  under\n"
                                     "f: |-  # c\n  one\n  two  \n\n\n"
                                     "g: >2\n  x\n"
                                     "h: *x\n"
                                     "i: | # none\n"
                                     "j: two\n  lines\n");
    REQUIRE(yaml.problems.empty());
    const NodeRef root = root_of(yaml);
    CHECK(root.get("a").source() == "plain");
    CHECK(root.get("b").source() == "'q'");
    CHECK(root.get("c").source() == "tagged");
    CHECK(root.get("d").source() == "\"v\"");
    CHECK(root.get("e").source() == "under");
    CHECK(root.get("f").source() == "|-  # c\n  one\n  two  ");
    CHECK(root.get("g").source() == ">2\n  x");
    CHECK(root.entries()[7].value.source() == "*x");
    CHECK(root.get("i").source() == "|");
    CHECK(root.get("j").source() == "two\n  lines");
}

TEST_CASE("collections reach from their first to their last byte") {
    const YamlText yaml = parse_yaml("a:\n  b: 1\n  c: [x, {y: z} ] # c\n\n# c\n"
                                     "d: &x\n  - 1\n  - - 2\n    - 3\n"
                                     "e:\n- k: v\n  l:\n\n"
                                     "f: !!map {\n  p: q\n}\n"
                                     "g: [m: n, {o: }]\n");
    REQUIRE(yaml.problems.empty());
    const NodeRef root = root_of(yaml);
    CHECK(root.span().begin == 0);
    CHECK(root.span().end == yaml.text.size() - 1);
    CHECK(root.get("a").source() == "b: 1\n  c: [x, {y: z} ]");
    CHECK(root.get("a").get("c").source() == "[x, {y: z} ]");
    CHECK(root.get("a").get("c").at(1).source() == "{y: z}");
    CHECK(root.get("d").source() == "- 1\n  - - 2\n    - 3");
    CHECK(root.get("d").at(1).source() == "- 2\n    - 3");
    CHECK(root.get("e").source() == "- k: v\n  l:");
    CHECK(root.get("f").source() == "{\n  p: q\n}");
    CHECK(root.get("g").at(0).source() == "m: n");
    CHECK(root.get("g").at(1).source() == "{o: }");
    CHECK(root.get("a").node().style == NodeStyle::block);
    CHECK(root.get("f").node().style == NodeStyle::flow);
}

TEST_CASE("what is not there has a place without width, right behind its indicator") {
    const std::string text = "a:   # c\nb: {c: , d, e:   }\nf:\n  -\n  -  # x\n? g\n: h\n? i\nj: &x\nk: !!null\n";
    const YamlText yaml = parse_yaml(text);
    REQUIRE(yaml.problems.empty());
    const NodeRef root = root_of(yaml);
    const auto behind = [&](NodeRef node, std::string_view before) {
        CHECK(node.is_scalar());
        CHECK(node.span().begin == node.span().end);
        CHECK(node.span().begin == text.find(before) + before.size());
    };
    behind(root.get("a"), "a:");
    behind(root.get("b").get("c"), "{c:");
    behind(root.get("b").get("d"), ", d");
    behind(root.get("b").get("e"), "e:");
    behind(root.get("f").at(0), "f:\n  -");
    behind(root.get("f").at(1), "f:\n  -\n  -");
    behind(root.get("i"), "? i");
    behind(root.get("j"), "&x");
    behind(root.get("k"), "!!null");
}

TEST_CASE("spans count bytes where libyaml counts characters, behind a byte order mark as well") {
    const std::string text = "\xef\xbb\xbfé: \"ü\" # ñ\nlist: [€, 𝄞, x]\n---\nz: 語\n";
    const YamlText yaml = parse_yaml(text);
    REQUIRE(yaml.problems.empty());
    CHECK(root_of(yaml).get("é").source() == "\"ü\"");
    CHECK(root_of(yaml).get("é").text() == "ü");
    CHECK(root_of(yaml).get("list").source() == "[€, 𝄞, x]");
    CHECK(root_of(yaml).get("list").at(1).source() == "𝄞");
    CHECK(root_of(yaml).get("list").at(2).source() == "x");
    CHECK(NodeRef(&yaml, yaml.documents[1].root).get("z").source() == "語");
    CHECK(root_of(yaml).span().begin == 3);
}

TEST_CASE("nodes are in document order and `after` leads behind each subtree") {
    const YamlText yaml = parse_yaml("a: [1, {b: c}]\nd: e\n");
    REQUIRE(yaml.nodes.size() == 9);
    CHECK(yaml.nodes[0].after == 9);
    CHECK(yaml.nodes[2].kind == NodeKind::sequence);
    CHECK(yaml.nodes[2].after == 7);
    CHECK(yaml.nodes[4].kind == NodeKind::mapping);
    CHECK(yaml.nodes[4].parent == 2);
    CHECK(yaml.nodes[6].after == 7);
    CHECK(yaml.nodes[7].parent == 0);
}

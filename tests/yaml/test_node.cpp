// Reading the node table: look-up, nulls, aliases, merge keys and stable paths.
#include "yaml/node.h"
#include "yaml/parse.h"
#include <ctime>
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

NodeRef root_of(const YamlText& yaml) {
    return {&yaml, yaml.documents.at(0).root};
}

} // namespace

TEST_CASE("an empty reference answers every question with nothing") {
    const NodeRef none;
    CHECK_FALSE(none);
    CHECK_FALSE(none.is_scalar());
    CHECK_FALSE(none.is_null());
    CHECK_FALSE(none.is_quoted());
    CHECK(none.text().empty());
    CHECK(none.source().empty());
    CHECK(none.tag().empty());
    CHECK(none.span() == Span{});
    CHECK_FALSE(none.resolved());
    CHECK_FALSE(none.get("a").get("b").at(3).get_key("c"));
    CHECK(none.entries().empty());
    CHECK(none.items().empty());
    CHECK(path_of(none).empty());
}

TEST_CASE("null is what YAML 1.1 calls null, and only unquoted") {
    const YamlText yaml = parse_yaml("- ~\n- null\n- Null\n- NULL\n-\n- !!null x\n"
                                     "- ''\n- \"~\"\n- 'null'\n- nUll\n- !!str\n- !!str null\n- |\n- []\n- ! null\n");
    REQUIRE(yaml.problems.empty());
    const auto items = root_of(yaml).items();
    REQUIRE(items.size() == 15);
    for (std::size_t i = 0; i < items.size(); ++i) {
        CAPTURE(i);
        CHECK(items[i].is_null() == (i < 6));
    }
    CHECK(items[6].is_quoted());
    CHECK_FALSE(items[0].is_quoted());
    CHECK(items[5].tag() == "tag:yaml.org,2002:null");
}

TEST_CASE("look-up takes the first of two equal keys, and knows keys by their value") {
    const YamlText yaml = parse_yaml("a: 1\n\"b\": 2\na: 3\n? [x]\n: 4\n");
    CHECK(root_of(yaml).get("a").text() == "1");
    CHECK(root_of(yaml).get("b").text() == "2");
    CHECK(root_of(yaml).get_key("b").source() == "\"b\"");
    CHECK_FALSE(root_of(yaml).get("x"));
    CHECK(root_of(yaml).entries().size() == 4);
    CHECK_FALSE(root_of(yaml).at(0));
    CHECK(root_of(yaml).items().empty());
}

TEST_CASE("aliases are followed by look-up and are as they are in entries") {
    const YamlText yaml = parse_yaml("base: &b {k: v}\nlist: &l [x, *b]\nc: *b\nd: *l\n&key e: 1\n*key : 2\n");
    const NodeRef root = root_of(yaml);
    CHECK(root.get("c").is_mapping());
    CHECK(root.get("c").get("k").text() == "v");
    CHECK(root.get("d").at(1).get("k").text() == "v");
    CHECK(root.get("d").items().at(1).node().kind == NodeKind::alias);
    CHECK(root.entries().at(2).value.node().kind == NodeKind::alias);
    CHECK(root.entries().at(2).value.entries().size() == 1);
    CHECK_FALSE(root.get("d").at(2));
}

TEST_CASE("merge keys: own keys win, then the earlier mapping") {
    const YamlText yaml = parse_yaml("a: &a {x: a, y: a, deep: a}\n"
                                     "b: &b {x: b, z: b}\n"
                                     "c: &c {<<: *a, y: c}\n"
                                     "one: {<<: *a, x: own}\n"
                                     "two: {<<: [*b, *c], own: 1}\n"
                                     "quoted: {\"<<\": *a}\n"
                                     "inline: {<<: {x: here}}\n");
    const NodeRef root = root_of(yaml);
    CHECK(root.get("one").get("x").text() == "own");
    CHECK(root.get("one").get("y").text() == "a");
    CHECK(root.get("two").get("x").text() == "b");
    CHECK(root.get("two").get("y").text() == "c");
    CHECK(root.get("two").get("deep").text() == "a");
    CHECK(root.get("two").get("own").text() == "1");
    CHECK(root.get("two").get_key("z").span().begin == yaml.text.find("z: b"));
    CHECK_FALSE(root.get("quoted").get("x"));
    CHECK(root.get("inline").get("x").text() == "here");
    CHECK(root.get("two").entries().size() == 2);
    CHECK_FALSE(root.get("two").get("none"));
}

TEST_CASE("a merge bomb costs no more than its bytes") {
    std::string text = "a0: &a0 {x: y}\n";
    for (int i = 1; i < 200; ++i) {
        text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " {<<: [";
        for (int k = 0; k < 20; ++k)
            text += "*a" + std::to_string(i - 1) + ", ";
        text += "]}\n";
    }
    const YamlText yaml = parse_yaml(text);
    REQUIRE(yaml.problems.empty());
    const std::clock_t begin = std::clock();
    CHECK(root_of(yaml).get("a199").get("x").text() == "y");
    CHECK_FALSE(root_of(yaml).get("a199").get("nowhere"));
    CHECK(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 1.0);
}

TEST_CASE("paths name keys, named items and indexes") {
    const YamlText yaml = parse_yaml("spec:\n"
                                     "  containers:\n"
                                     "    - name: app\n      image: x\n"
                                     "    - image: y\n"
                                     "    - name: [a]\n"
                                     "    - name: \"odd]\"\n"
                                     "metadata:\n"
                                     "  annotations:\n"
                                     "    a.b/c: v\n"
                                     "    'q\"\\': w\n"
                                     "    \"\": e\n"
                                     "  $patch: delete\n"
                                     "list: [[1, 2]]\n");
    const NodeRef root = root_of(yaml);
    const NodeRef containers = root.get("spec").get("containers");
    CHECK(path_of(root).empty());
    CHECK(path_of(containers) == "spec.containers");
    CHECK(path_of(root.get("spec").get_key("containers")) == "spec.containers");
    CHECK(path_of(containers.at(0).get("image")) == "spec.containers[name=app].image");
    CHECK(path_of(containers.at(1).get("image")) == "spec.containers[1].image");
    CHECK(path_of(containers.at(2)) == "spec.containers[2]");
    CHECK(path_of(containers.at(3)) == "spec.containers[3]");
    const NodeRef annotations = root.get("metadata").get("annotations");
    CHECK(path_of(annotations.get("a.b/c")) == "metadata.annotations[\"a.b/c\"]");
    CHECK(path_of(annotations.get("q\"\\")) == "metadata.annotations[\"q\\\"\\\\\"]");
    CHECK(path_of(annotations.get("")) == "metadata.annotations[\"\"]");
    CHECK(path_of(root.get("metadata").get("$patch")) == "metadata.$patch");
    CHECK(path_of(root.get("list").at(0).at(1)) == "list[0][1]");
    const YamlText first = parse_yaml("a.b: {c: d}\n");
    CHECK(path_of(root_of(first).get("a.b").get("c")) == "[\"a.b\"].c");
}

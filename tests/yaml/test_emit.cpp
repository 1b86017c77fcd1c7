// What goes out is what go-yaml writes, and what comes in is what it reads.
#include "yaml/emit.h"
#include "yaml/parse.h"
#include "yaml/scalar_type.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

std::string written(std::string_view text, std::vector<LinePlace>* places = nullptr) {
    static std::vector<std::unique_ptr<std::string>> texts;
    texts.push_back(std::make_unique<std::string>(text));
    const YamlText yaml = parse_yaml(*texts.back());
    Arena arena;
    std::string out, error;
    const Value* value = value_of({&yaml, yaml.documents.front().root}, 0, arena, &error);
    if (!value) return "error: " + error;
    EmitOptions options;
    options.places = places;
    emit_yaml(*value, out, options);
    return out;
}

} // namespace

TEST_CASE("keys are sorted, numbers in them by their value, lists not indented") {
    CHECK(written("b: 1\na10: x\na9: [1, {c: d}]\nA: {}\ne: []\n") == "A: {}\na9:\n- 1\n- c: d\na10: x\nb: 1\ne: []\n");
}

TEST_CASE("texts are quoted where go-yaml 2 would read something else") {
    CHECK(
        written("a: 'yes'\nb: '1'\nc: '2001-01-01'\nd: x # y\ne: 'a: b'\nf: \"tab\\t\"\ng: ''\nh: '- x'\ni: 1:30\n") ==
        "a: \"yes\"\nb: \"1\"\nc: \"2001-01-01\"\nd: x\ne: 'a: b'\nf: \"tab\\t\"\ng: \"\"\nh: '- x'\ni: \"1:30\"\n");
}

TEST_CASE("numbers, booleans and timestamps come out as JSON makes them") {
    CHECK(written("a: 0777\nb: 1e3\nc: 1234567.5\nd: True\ne: ~\nf: 2001-01-01\ng: 0x10\nh: 1_000\n") ==
          "a: 511\nb: 1000\nc: 1.2345675e+06\nd: true\ne: null\nf: \"2001-01-01T00:00:00Z\"\ng: 16\nh: 1000\n");
}

TEST_CASE("texts with line breaks are literal blocks, long ones fold at 80") {
    CHECK(written("a: \"x\\ny\\n\"\nb: \"x\\n\\n\"\nc: \" x\\ny\"\n") ==
          "a: |\n  x\n  y\nb: |+\n  x\n\nc: |2-\n   x\n  y\n");
    const std::string word(30, 'w');
    CHECK(written("a: " + word + " " + word + " " + word + " " + word + "\n") ==
          "a: " + word + " " + word + " " + word + "\n  " + word + "\n");
}

TEST_CASE("aliases become copies, merge keys entries, and bombs are refused") {
    CHECK(written("a: &x {k: 1, l: 2}\nb:\n  <<: *x\n  k: 3\nc: *x\n") ==
          "a:\n  k: 1\n  l: 2\nb:\n  k: 3\n  l: 2\nc:\n  k: 1\n  l: 2\n");
    std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
        const std::string before = "*a" + std::to_string(i - 1);
        bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
        for (int j = 0; j < 10; ++j)
            bomb += (j > 0 ? ", " : "") + before;
        bomb += "]\n";
    }
    CHECK(written(bomb).starts_with("error: "));
}

TEST_CASE("each line knows the bytes it comes from") {
    std::vector<LinePlace> places;
    const std::string text = "b: 2\na:\n- x: |\n    l\n    m\n";
    CHECK(written(text, &places) == "a:\n- x: |\n    l\n    m\nb: 2\n");
    REQUIRE(places.size() == 5);
    const auto line = [&](std::size_t i) { return LineTable(text).position(places[i].place.span.begin).line; };
    CHECK(line(0) == 2);
    CHECK(line(1) == 3);
    CHECK(line(2) == 3);
    CHECK(line(4) == 1);
}

TEST_CASE("paths find the same in trees that can be changed") {
    const std::string text = "spec:\n  list:\n  - name: a\n    v: 1\n  - name: b\n    v: 2\n";
    const YamlText yaml = parse_yaml(text);
    Arena arena;
    Value* root = value_of({&yaml, yaml.documents.front().root}, 0, arena);
    const auto found = [&](std::string_view path) {
        std::string out;
        for (const ValueMatch& match : find(*YamlPath::parse(path), root))
            out += std::string(match.value->text) + " ";
        return out;
    };
    CHECK(found("spec.list[*].v") == "1 2 ");
    CHECK(found("spec.list[name=b].v") == "2 ");
    CHECK(found("**.name") == "a b ");
    CHECK(found("spec.list[1].v") == "2 ");
    CHECK_FALSE(find_first(*YamlPath::parse("spec.none"), root));
}

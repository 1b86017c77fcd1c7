// Hostile files: each is read, or refused with a reason, in time that grows with its bytes and not faster.
#include "yaml/comments.h"
#include "yaml/parse.h"
#include <ctime>
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

std::string repeat(std::string_view part, std::size_t count) {
    std::string out;
    out.reserve(part.size() * count);
    for (std::size_t i = 0; i < count; ++i)
        out += part;
    return out;
}

// Processor time, so that a busy machine fails no test; far above what is needed, far below what quadratic work would
// take.
YamlText read_in_time(const std::string& text, const YamlLimits& limits = {}) {
    const std::clock_t begin = std::clock();
    YamlText yaml = parse_yaml(text, Dialect::yaml, limits);
    yaml_comments(yaml);
    CHECK(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 4.0);
    return yaml;
}

void check_refused(const std::string& text, std::string_view reason) {
    const YamlText yaml = read_in_time(text);
    REQUIRE(yaml.problems.size() == 1);
    CHECK_MESSAGE(yaml.problems[0].message.find(reason) != std::string::npos, yaml.problems[0].message);
    CHECK(yaml.nodes.empty());
}

} // namespace

TEST_CASE("nesting without end is refused by depth") {
    check_refused(repeat("[", 100000), "nested deeper than 1000 levels");
    check_refused(repeat("- ", 100000), "nested deeper than 1000 levels");
    check_refused(repeat("{a: ", 100000), "nested deeper than 1000 levels");
    check_refused(repeat("? ", 100000), "nested deeper than 1000 levels");
}

TEST_CASE("the limits are the caller's, and the message names them") {
    YamlLimits limits;
    limits.depth = 2;
    CHECK(parse_yaml("a: {b: c}\n", Dialect::yaml, limits).problems.empty());
    const YamlText deep = parse_yaml("a: {b: [c]}\n---\nd: e\n", Dialect::yaml, limits);
    REQUIRE(deep.problems.size() == 1);
    CHECK(deep.problems[0].message.find("limits: depth") != std::string::npos);
    CHECK(deep.problems[0].span.begin == 7);
    CHECK(deep.documents.size() == 1);
    limits.scalar_size = 10;
    CHECK(parse_yaml("a: |\n  12345\n", Dialect::yaml, limits).problems.empty());
    const YamlText long_value = parse_yaml("a: |\n  12345\n  6789\n---\nd: e\n", Dialect::yaml, limits);
    REQUIRE(long_value.problems.size() == 1);
    CHECK(long_value.problems[0].message.find("limits: scalar-size") != std::string::npos);
    CHECK(long_value.problems[0].span.begin == 3);
    CHECK(long_value.documents.size() == 1);
    limits.documents = 1;
    const YamlText many = parse_yaml("a: b\n---\nc: d\n---\ne: f\n", Dialect::yaml, limits);
    REQUIRE(many.problems.size() == 1);
    CHECK(many.problems[0].message.find("limits: documents") != std::string::npos);
    CHECK(many.documents.size() == 1);
    limits.nodes = 2;
    const YamlText large = parse_yaml("a: b\n", Dialect::yaml, limits);
    REQUIRE(large.problems.size() == 1);
    CHECK(large.problems[0].message.find("limits: nodes") != std::string::npos);
    CHECK(large.documents.empty());
}

TEST_CASE("many values in deep brackets are refused, a large flat list is not") {
    check_refused(repeat("[", 999) + repeat("a,", 500000) + repeat("]", 999), "deeply nested brackets");
    CHECK(read_in_time("[" + repeat("a,", 500000) + "]").nodes.size() == 500001);
}

TEST_CASE("long runs of blanks and of empty lines are refused") {
    check_refused("a: x" + repeat(" ", 1000000) + "y" + repeat(" z", 300000) + "\n", "blanks or empty lines in a row");
    check_refused("a: >\n" + repeat("\n", 1000000) + "  y" + repeat("\n\n  z", 300000),
                  "blanks or empty lines in a row");
    CHECK(read_in_time("a: x" + repeat(" ", 8000) + "y\nb: z" + repeat("\n", 8000)).problems.empty());
    CHECK(read_in_time("# c" + repeat("\n   \n", 3000)).problems.empty());
}

TEST_CASE("an alias bomb stays as small as its text") {
    std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 40; ++i) {
        const std::string before = "*a" + std::to_string(i - 1);
        text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + repeat(before + ", ", 9) + "]\n";
    }
    const YamlText yaml = read_in_time(text);
    CHECK(yaml.problems.empty());
    CHECK(yaml.nodes.size() == 1 + 40 * 11);
}

TEST_CASE("hundreds of thousands of keys, anchors and unknown aliases are not quadratic") {
    std::string keys, anchors, unknown;
    for (int i = 0; i < 300000; ++i)
        keys += "key" + std::to_string(i) + ": v\n";
    for (int i = 0; i < 100000; ++i)
        anchors += "k" + std::to_string(i) + ": &a" + std::to_string(i) + " v\n";
    for (int i = 0; i < 100000; ++i)
        anchors += "m" + std::to_string(i) + ": *a" + std::to_string(i) + "\n";
    for (int i = 0; i < 100000; ++i)
        unknown += "- *a" + std::to_string(i) + "\n";
    const YamlText many = read_in_time(keys);
    CHECK(many.problems.empty());
    CHECK(NodeRef(&many, 0).get("key299999").text() == "v");
    const YamlText anchored = read_in_time(anchors);
    CHECK(anchored.problems.empty());
    CHECK(NodeRef(&anchored, 0).entries()[199999].value.resolved().id() == NodeRef(&anchored, 0).get("k99999").id());
    CHECK(read_in_time(unknown).problems.size() == 100);
    const std::string twice = repeat("a: b\n", 300000);
    const YamlText same = read_in_time(twice);
    CHECK(same.problems.size() == 100);
    CHECK(same.problems[0].kind == YamlProblem::Kind::duplicate_key);
}

TEST_CASE("a scalar of 50 MB is read in place") {
    const std::string text = "a: " + repeat("x", 50'000'000) + "\n";
    YamlLimits limits;
    limits.scalar_size = 50'000'000;
    const YamlText yaml = read_in_time(text, limits);
    CHECK(yaml.problems.empty());
    CHECK(NodeRef(&yaml, 0).get("a").text().size() == 50'000'000);
    CHECK(yaml.decoded.empty());
}

TEST_CASE("keys without end and quotes without end are refused fast") {
    check_refused("\"" + repeat("a", 1'000'000) + "\": 1\n", "a key may have 1024 characters");
    check_refused("\"" + repeat("a", 1'000'000), "this quote is never closed");
    CHECK(read_in_time(repeat("\"", 100001)).problems.size() == 1);
}

TEST_CASE("thousands of broken documents are as many problems, up to the limit") {
    const std::string text = repeat("---\na: [\n", 20000);
    const YamlText yaml = read_in_time(text);
    CHECK(yaml.problems.size() == 10001);
    CHECK(yaml.documents.empty());
}

TEST_CASE("millions of forbidden bytes are blanked in one pass") {
    CHECK(read_in_time("a: " + repeat("\xff", 5'000'000)).problems.size() == 2); // the byte, and the run of blanks
    CHECK(read_in_time(repeat("# \xff\n", 1'000'000)).problems.size() == 20);
}

TEST_CASE("a large file in another script is read in time") {
    std::string text;
    for (int i = 0; i < 100000; ++i)
        text += "ключ" + std::to_string(i) + ": значение # примечание\n";
    const YamlText yaml = read_in_time(text);
    CHECK(yaml.problems.empty());
    CHECK(NodeRef(&yaml, 0).get("ключ99999").source() == "значение");
}

TEST_CASE("many actions are masked in time") {
    const std::string text = repeat("- {{ .x }}\n", 100000);
    const YamlText yaml = read_in_time(text);
    CHECK(yaml.masked);
    CHECK(yaml.problems.empty());
    CHECK(NodeRef(&yaml, 0).at(99999).text() == "{{ .x }}");
}

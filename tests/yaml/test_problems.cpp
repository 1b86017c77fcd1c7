// What is said about a text that cannot be read: the place a person would look at, in plain words.
#include "yaml/parse.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

struct Expected {
    std::string text;
    Position at;
    std::string message; // or a part of it
};

} // namespace

TEST_CASE("each broken text has one problem at the right place") {
    const Expected cases[] = {
        {"a:\n\tb: 1\n", {2, 1}, "a tab cannot indent YAML; use spaces"},
        {"a:\n  b: 1\n\tc: 2\n", {3, 1}, "a tab cannot indent YAML; use spaces"},
        {"a: |\n\tx\n", {2, 1}, "a tab cannot indent YAML; use spaces"},
        {"a:\n  b: 1\n  \tc: 2\n", {3, 3}, "a tab cannot indent YAML; use spaces"},
        {"x: 1\na: \"open\nb: 1\n", {2, 4}, "this quote is never closed"},
        {"x: 1\na: 'open\nb: 1\n", {2, 4}, "this quote is never closed"},
        {"a: [1, 2\nb: 3\n", {1, 4}, "this `[` is never closed"},
        {"a: {x: 1\nb: 3\n", {1, 4}, "this `{` is never closed"},
        {"a: [\n", {1, 4}, "this `[` is never closed"},
        {"a: {b: c d: e}\n", {1, 11}, "expected `,` or `}` here"},
        {"a: {b: c\n  d: e}\n", {2, 4}, "expected `,` or `}` here"},
        {"a: b: c\n", {1, 5}, "a second `: ` on one line; quote the value"},
        {"a: 1\n  b: 2\n", {2, 4}, "mapping values are not allowed here"},
        {"a:\n  b: 1\n c: 2\n", {3, 2}, "this line's indentation fits nothing above it"},
        {"a: \"x\" y\n", {1, 8}, "text after the end of a value"},
        {"a: b\n- c\n", {2, 1}, "found a list item where the mapping continues"},
        {"a: 1\nfoo\nb: 2\n", {2, 1}, "could not find expected `:` after this key"},
        {"- a\nb: c\n", {2, 1}, "expected `- `"},
        {"a: - b\n", {1, 4}, "a list item cannot be here"},
        {"a: @x\n", {1, 4}, "a value cannot start with `@`; quote it"},
        {"a: *.example.com\n", {1, 4}, "a value that starts with `*` must be quoted"},
        {"a: \"\\d\"\n", {1, 5}, "found unknown escape character `\\d`"},
        {"[a,,b]\n", {1, 4}, "expected a value here"},
        {"é: 'x'\né: }\n", {2, 4}, "expected a value here"},
        {"'a'\nb: c\n", {2, 1}, "text after the end of the document"},
        {"a: !foo!bar x\n", {1, 4}, "found undefined tag handle"},
    };
    for (const Expected& expected : cases) {
        CAPTURE(expected.text);
        const YamlText yaml = parse_yaml(expected.text);
        CHECK(yaml.documents.empty());
        CHECK(yaml.nodes.empty());
        REQUIRE(yaml.problems.size() == 1);
        CHECK(yaml.problems[0].kind == YamlProblem::Kind::syntax);
        CHECK(LineTable(expected.text).position(yaml.problems[0].span.begin) == expected.at);
        CHECK_MESSAGE(yaml.problems[0].message.find(expected.message) != std::string::npos, yaml.problems[0].message);
    }
}

TEST_CASE("an unclosed construct names the place where reading stopped") {
    const YamlText yaml = parse_yaml("a: 'open\nb: 1\n---\nc: d\n");
    REQUIRE(yaml.problems.size() == 1);
    CHECK(yaml.problems[0].other.begin == 14);
    CHECK(yaml.problems[0].other_message == "the document ends here");
}

TEST_CASE("forbidden bytes are named at their place and hide nothing") {
    const std::string text =
        std::string("a: 1") + '\0' + "\nb: \xff\xfe x\nc: \x01" + "3\nd: \xc3\xa9\xed\xa0\x80\ne: \x7f\nf: \xc2\x80\n";
    const YamlText yaml = parse_yaml(text);
    REQUIRE(yaml.problems.size() == 6);
    CHECK(yaml.problems[0].message == "NUL byte");
    CHECK(yaml.problems[0].span == Span{4, 5});
    CHECK(yaml.problems[1].message == "byte 0xFF is not UTF-8");
    CHECK(yaml.problems[1].span.begin == text.find('\xff'));
    CHECK(yaml.problems[2].message == "control character 0x01 is not allowed in YAML");
    CHECK(yaml.problems[3].message == "byte 0xED is not UTF-8");
    CHECK(yaml.problems[4].message == "control character 0x7F is not allowed in YAML");
    CHECK(yaml.problems[5].message == "control character U+0080 is not allowed in YAML");
    for (const YamlProblem& problem : yaml.problems)
        CHECK(problem.kind == YamlProblem::Kind::syntax);

    const std::string values = std::string("a: 1") + '\0' + "\nb: x\xffy\n";
    const YamlText value = parse_yaml(values);
    REQUIRE(value.documents.size() == 1);
    const NodeRef root(&value, value.documents[0].root);
    CHECK(root.get("a").text() == "1");
    CHECK(root.get("b").text() == "x y");
    CHECK(root.get("b").span() == Span{9, 12});
}

TEST_CASE("forbidden bytes make at most twenty problems") {
    std::string text;
    for (int i = 0; i < 50; ++i)
        text += "# \xff\xff\n";
    CHECK(parse_yaml(text).problems.size() == 20);
}

TEST_CASE("a file in UTF-16 or UTF-32 is one problem and no document") {
    using namespace std::string_literals;
    for (const std::string& text : {"\xff\xfe"s + "a\0:\0"s, "\xfe\xff"s + "\0a\0:"s, "a\0:\0 \0001\0"s, "\0a\0:\0 "s,
                                    "a\0\0\0:\0\0\0"s, "\0\0\0a\0\0\0:"s, "\xff\xfe\0\0a\0\0\0"s}) {
        CAPTURE(text);
        const YamlText yaml = parse_yaml(text);
        CHECK(yaml.documents.empty());
        REQUIRE(yaml.problems.size() == 1);
        CHECK(yaml.problems[0].message.find("save it as UTF-8") != std::string::npos);
    }
    CHECK(parse_yaml("\xff\xfe\0\0a\0\0\0"s).problems[0].message.find("UTF-32") != std::string::npos);
}

TEST_CASE("a Unicode line separator is told once, with its own kind") {
    for (const std::string separator : {"\xe2\x80\xa8", "\xe2\x80\xa9", "\xc2\x85"}) {
        const YamlText yaml = parse_yaml("a: \"x" + separator + "y\"\nb: \"" + separator + "\"\n");
        REQUIRE(yaml.problems.size() == 1);
        CHECK(yaml.problems[0].kind == YamlProblem::Kind::line_separator);
        CHECK(yaml.problems[0].span == Span{5, 5 + static_cast<std::uint32_t>(separator.size())});
        CHECK(yaml.documents.size() == 1);
    }
}

namespace {

std::string values_of(const std::string& text) {
    const YamlText yaml = parse_yaml(text);
    std::string out;
    for (const YamlProblem& problem : yaml.problems)
        out += "!" + problem.message;
    for (NodeId id = 0; id < yaml.nodes.size(); ++id)
        if (NodeRef(&yaml, id).is_scalar()) out += std::string(NodeRef(&yaml, id).text()) + "|";
    return out;
}

} // namespace

TEST_CASE("a colon before a bracket or comma belongs to the value, as go-yaml has it, in both readers") {
    CHECK(values_of("a: [10.0.0.0, fd00::]\n") == "a|10.0.0.0|fd00::|");
    // An anchor makes it libyaml's: the colons are hidden from it, and the source is what counts.
    CHECK(values_of("x: &x 1\na: [fd00::, \"b:,\", 'c:]', {d: e::}, f:] # g:,\nh: [i::]\n") ==
          "x|1|a|fd00::|b:,|c:]|d|e::|f:|h|i::|");
    CHECK(values_of("x: &x 1\na: [two\n  words::, b]\n") == "x|1|a|two words::|b|");
    CHECK(values_of("x: &x 1\na: [b, ::1]\n").starts_with("!"));
}

TEST_CASE("hundreds of brackets with such colons are read in bounded time") {
    std::string text = "x: &x 1\n";
    for (int i = 0; i < 300; ++i)
        text += "- [a:, b]\n";
    values_of("x: &x 1\na:\n" + text.substr(8)); // read, or told of: it ends
    CHECK(true);
}

TEST_CASE("what is between the end of a document and the next one is not read") {
    CHECK(values_of("a: b\n...\nwhatever: [\n---\nc: d\n") == "a|b|c|d|");
    CHECK(values_of("a: b\n... text\n") == "a|b|");
    CHECK(values_of("a: |\n  b\n...\n@text\n") == "a|b\n|");
    CHECK(values_of("a: b\ntext\n").starts_with("!"));
}

TEST_CASE("a key given twice with the same value says so") {
    const YamlText yaml = parse_yaml("a: {x: [1, 2]}\na: {x: [1, 2]}\nb: 1\nb: \"1\"\n");
    REQUIRE(yaml.problems.size() == 2);
    CHECK(yaml.problems[0].same_value);
    CHECK(yaml.problems[0].message == "key \"a\" is given twice in one mapping, with the same value");
    CHECK_FALSE(yaml.problems[1].same_value);
}

// What a text says: documents, styles, values, template flags, and going on behind a document that is broken.
#include "yaml/parse.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

NodeRef root_of(const YamlText& yaml, std::size_t document = 0) {
    if (document >= yaml.documents.size()) return {};
    return {&yaml, yaml.documents[document].root};
}

} // namespace

TEST_CASE("an empty file and a file of comments hold no document and no problem") {
    for (const char* text : {"", "\n\n", "# only\n  # comments\n", "\xef\xbb\xbf", "\xef\xbb\xbf# x\n"}) {
        CAPTURE(text);
        const YamlText yaml = parse_yaml(text);
        CHECK(yaml.documents.empty());
        CHECK(yaml.problems.empty());
        CHECK(yaml.nodes.empty());
    }
}

TEST_CASE("documents are separated, and an empty one between separators is kept without a root") {
    const std::string text = "a: 1\n---\n# nothing\n---\n- x\n...\n---\nlast\n";
    const YamlText yaml = parse_yaml(text);
    REQUIRE(yaml.problems.empty());
    REQUIRE(yaml.documents.size() == 4);
    CHECK(root_of(yaml, 0).get("a").text() == "1");
    CHECK(yaml.documents[1].root == no_node);
    CHECK(root_of(yaml, 2).at(0).text() == "x");
    CHECK(root_of(yaml, 3).text() == "last");
    const auto shown = [&](std::size_t i) {
        const Span span = yaml.documents[i].span;
        return text.substr(span.begin, span.end - span.begin);
    };
    CHECK(shown(0) == "a: 1");
    CHECK(shown(1) == "---");
    CHECK(shown(2) == "---\n- x");
}

TEST_CASE("each style gives its decoded value") {
    const std::string text = "p: plain text\n"
                             "m: two\n  lines\n"
                             "s: 'it''s'\n"
                             "d: \"a\\tb\\u00e9\"\n"
                             "l: |\n  x\n    y\n\n"
                             "k: |+\n  x\n\n"
                             "f: >-\n  a\n  b\n"
                             "n: ~\n"
                             "e: ''\n";
    const YamlText yaml = parse_yaml(text);
    REQUIRE(yaml.problems.empty());
    const NodeRef root = root_of(yaml);
    CHECK(root.get("p").text() == "plain text");
    CHECK(root.get("m").text() == "two lines");
    CHECK(root.get("s").text() == "it's");
    CHECK(root.get("d").text() == "a\tb\xc3\xa9");
    CHECK(root.get("l").text() == "x\n  y\n");
    CHECK(root.get("k").text() == "x\n\n");
    CHECK(root.get("f").text() == "a b");
    CHECK(root.get("n").text() == "~");
    CHECK(root.get("e").text().empty());
    CHECK(root.get("p").node().style == NodeStyle::plain);
    CHECK(root.get("s").node().style == NodeStyle::single_quoted);
    CHECK(root.get("d").node().style == NodeStyle::double_quoted);
    CHECK(root.get("l").node().style == NodeStyle::literal);
    CHECK(root.get("f").node().style == NodeStyle::folded);
    CHECK_FALSE(root.get("p").node().decoded);
    CHECK(root.get("s").node().decoded);
    CHECK_FALSE(root.get("e").node().decoded);
}

TEST_CASE("CRLF line ends are no part of any value") {
    const YamlText yaml = parse_yaml("a: 1\r\nb: |\r\n  x\r\n  y\r\nc: \"q\"\r\n");
    REQUIRE(yaml.problems.empty());
    CHECK(root_of(yaml).get("a").text() == "1");
    CHECK(root_of(yaml).get("b").text() == "x\ny\n");
    CHECK(root_of(yaml).get("b").source() == "|\r\n  x\r\n  y");
    CHECK(root_of(yaml).get("c").text() == "q");
}

TEST_CASE("a broken document is one problem, leaves no nodes, and does not hide the others") {
    const std::string text = "a: 1\n---\nb: [1, 2\nx: *nowhere\n---\nc: 3\n---\nd: \"open\n---\ne: 5\n";
    const YamlText yaml = parse_yaml(text);
    REQUIRE(yaml.documents.size() == 3);
    CHECK(root_of(yaml, 0).get("a").text() == "1");
    CHECK(root_of(yaml, 1).get("c").text() == "3");
    CHECK(root_of(yaml, 2).get("e").text() == "5");
    CHECK(yaml.nodes.size() == 9);
    REQUIRE(yaml.problems.size() == 2);
    CHECK(yaml.problems[0].span.begin == text.find('['));
    CHECK(yaml.problems[0].message == "this `[` is never closed");
    CHECK(yaml.problems[1].span.begin == text.find('"'));
    CHECK(yaml.problems[1].message == "this quote is never closed");
    CHECK(yaml.problems[1].other.begin == text.rfind("---"));
}

TEST_CASE("a first document that is broken is left at the first separator, with or without its own") {
    for (const std::string text :
         {"a: }\n---\nb: 2\n", "# c\n---\na: }\n---\nb: 2\n", "%YAML 1.1\n---\na: }\n---\nb: 2\n",
          "\xef\xbb\xbf---\na: }\n---\nb: 2\n", "\"a\" \"b\"\n---\nb: 2\n"}) {
        CAPTURE(text);
        const YamlText yaml = parse_yaml(text);
        CHECK(yaml.problems.size() == 1);
        REQUIRE(yaml.documents.size() == 1);
        CHECK(root_of(yaml).get("b").text() == "2");
    }
}

TEST_CASE("aliases point at the latest anchor of their own document") {
    const std::string text = "a: &x 1\nb: *x\nc: &x 2\nd: *x\n---\ne: *x\n";
    const YamlText yaml = parse_yaml(text);
    CHECK(root_of(yaml).get("b").text() == "1");
    CHECK(root_of(yaml).get("d").text() == "2");
    REQUIRE(yaml.problems.size() == 1);
    CHECK(yaml.problems[0].kind == YamlProblem::Kind::syntax);
    CHECK(yaml.problems[0].span ==
          Span{static_cast<std::uint32_t>(text.rfind("*x")), static_cast<std::uint32_t>(text.size() - 1)});
    CHECK_FALSE(root_of(yaml, 1).get("e"));
}

TEST_CASE("an alias inside its own anchor is a problem, not a circle") {
    const YamlText yaml = parse_yaml("a: &x\n  b: [*x]\n");
    REQUIRE(yaml.problems.size() == 1);
    CHECK(yaml.problems[0].message == "anchor &x contains itself by this alias");
    CHECK_FALSE(root_of(yaml).get("a").get("b").at(0));
}

TEST_CASE("a key given twice is a problem with both places") {
    const std::string text = "a: 1\nb: {c: 1, \"c\": 2}\na: 3\n";
    const YamlText yaml = parse_yaml(text);
    REQUIRE(yaml.problems.size() == 2);
    CHECK(yaml.problems[0].kind == YamlProblem::Kind::duplicate_key);
    CHECK(yaml.problems[0].message == "key \"c\" is given twice in one mapping");
    CHECK(yaml.problems[1].span.begin == text.rfind('a'));
    CHECK(yaml.problems[1].other == Span{0, 1});
    CHECK(root_of(yaml).get("a").text() == "1");
}

TEST_CASE("keys that only look alike are two keys") {
    for (const char* text : {"1: a\n\"1\": b\n", "true: a\n'true': b\n", "~: a\n\"~\": b\n", "a: {x: 1}\nb: {x: 1}\n",
                             "1e3: a\n'1e3': b\n", "# {{- if .x }}\na: 1\n# {{- else }}\na: 2\n# {{- end }}\n"}) {
        CAPTURE(text);
        CHECK(parse_yaml(text).problems.empty());
    }
    CHECK(parse_yaml("1.2.3: a\n'1.2.3': b\n").problems.size() == 1);
    CHECK(parse_yaml("1: a\n1: b\n").problems.size() == 1);
}

TEST_CASE("references and actions make a scalar templated") {
    const YamlText yaml = parse_yaml("a: ${X}\nb: \"{{ .y }}\"\nc: plain {x\nd: |\n  foo ${Z}\ne: $x\n'{{ k }}': v\n");
    REQUIRE(yaml.problems.empty());
    CHECK_FALSE(yaml.masked);
    CHECK(root_of(yaml).get("a").templated());
    CHECK(root_of(yaml).get("b").templated());
    CHECK_FALSE(root_of(yaml).get("c").templated());
    CHECK(root_of(yaml).get("d").templated());
    CHECK_FALSE(root_of(yaml).get("e").templated());
    CHECK(root_of(yaml).get_key("{{ k }}").templated());
}

TEST_CASE("a file with naked actions is masked, and every templated value is its own source") {
    const std::string text = "{{- if .x }}\na: {{ .Values.a }}\nb: v{{ .b }}-c\nq: \"{{ .q }}\"\n{{- end }}\nplain: 1\n"
                             "block: |\n  one {{ .two }}\n    three\nlast: {{ .z | default \"é\" }} # c\n";
    const YamlText yaml = parse_yaml(text);
    CHECK(yaml.masked);
    REQUIRE(yaml.problems.empty());
    const NodeRef root = root_of(yaml);
    CHECK(root.get("a").text() == "{{ .Values.a }}");
    CHECK(root.get("a").templated());
    CHECK(root.get("b").text() == "v{{ .b }}-c");
    CHECK(root.get("q").text() == "{{ .q }}");
    CHECK(root.get("q").templated());
    CHECK(root.get("plain").text() == "1");
    CHECK_FALSE(root.get("plain").templated());
    CHECK(root.get("block").text() == "one {{ .two }}\n  three\n");
    CHECK(root.get("block").templated());
    CHECK(root.get("last").text() == "{{ .z | default \"é\" }}");
}

TEST_CASE("a value that an action on the next line fills is templated, not null") {
    const YamlText yaml = parse_yaml("labels:\n  {{- include \"x\" . | nindent 2 }}\nnone:\nb: {{ .c }}\n");
    CHECK(yaml.masked);
    REQUIRE(yaml.problems.empty());
    CHECK(root_of(yaml).get("labels").templated());
    CHECK_FALSE(root_of(yaml).get("labels").is_null());
    CHECK(root_of(yaml).get("none").is_null());
}

TEST_CASE("both branches of a template may hold the same key") {
    const YamlText yaml = parse_yaml("{{ if .x }}\na: 1\n{{ else }}\na: 2\n{{ end }}\n");
    CHECK(yaml.masked);
    CHECK(yaml.problems.empty());
}

TEST_CASE("in Terraform's language escapes are text and directives are masked") {
    const YamlText yaml = parse_yaml("a: ${x}\nb: $${y}\nc: {{ z }}\n", Dialect::terraform);
    CHECK(root_of(yaml).get("a").templated());
    CHECK_FALSE(root_of(yaml).get("b").templated());
    const YamlText masked = parse_yaml("%{ if x ~}\na: p-${x}\n%{ endif ~}\nb: '%%{y}'\n", Dialect::terraform);
    CHECK(masked.masked);
    REQUIRE(masked.problems.empty());
    CHECK(root_of(masked).get("a").text() == "p-${x}");
    CHECK(root_of(masked).get("a").templated());
    CHECK_FALSE(root_of(masked).get("b").templated());
}

TEST_CASE("an indented slice is read with places in the outer file") {
    const std::string text =
        "write_files:\n  - content: |\n      ---\n      a: 1\n\n      s: |\n        x\n          y\n"
        "      --- # two\n      b: [\n      ---\n      c: \"é\"\n      c: 4\nrest: 1\n";
    const auto begin = static_cast<std::uint32_t>(text.find("      ---"));
    const Span slice{begin, static_cast<std::uint32_t>(text.find("rest:"))};
    for (const std::uint32_t from : {begin, begin + 6}) {
        const YamlText yaml = parse_yaml_slice(text, {from, slice.end}, 6);
        CHECK(yaml.region == slice);
        REQUIRE(yaml.documents.size() == 2);
        CHECK(root_of(yaml, 0).get("a").text() == "1");
        CHECK(root_of(yaml, 0).get("a").span().begin == text.find("1\n"));
        CHECK(root_of(yaml, 0).get("s").text() == "x\n  y\n");
        CHECK(yaml.documents[0].span.begin == begin + 6);
        CHECK(root_of(yaml, 1).get("c").source() == "\"é\"");
        REQUIRE(yaml.problems.size() == 2);
        CHECK(yaml.problems[0].span.begin == text.find('['));
        CHECK(yaml.problems[1].kind == YamlProblem::Kind::duplicate_key);
        CHECK(yaml.problems[1].other.begin == text.find("c: \""));
    }
}

TEST_CASE("a slice that is not indented is read like a file") {
    const std::string text = "xx\na: 1\n---\nb: {\n---\nc: 3\nyy\n";
    const YamlText yaml = parse_yaml_slice(text, {3, static_cast<std::uint32_t>(text.find("yy"))}, 0);
    REQUIRE(yaml.documents.size() == 2);
    CHECK(root_of(yaml, 1).get("c").source() == "3");
    REQUIRE(yaml.problems.size() == 1);
    CHECK(yaml.problems[0].span.begin == text.find('{'));
}

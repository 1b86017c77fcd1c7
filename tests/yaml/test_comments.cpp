// Comments: found where they are, and nowhere else.
#include "yaml/comments.h"
#include "yaml/parse.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

using Texts = std::vector<std::string>;

Texts shown(std::string_view text, const std::vector<Span>& comments) {
    Texts out;
    for (const Span& span : comments)
        out.emplace_back(text.substr(span.begin, span.end - span.begin));
    return out;
}

Texts of_yaml(const std::string& text) {
    return shown(text, yaml_comments(parse_yaml(text)));
}
Texts of_lines(const std::string& text) {
    return shown(text, line_comments(text));
}

} // namespace

TEST_CASE("YAML comments are outside of scalars") {
    CHECK(of_yaml("# top\na: b # one\nc: d#e\nf: 'x # y' # two\ng: [h, # three\n  i]\n---\n# four\nj: \"k\"# five\n") ==
          Texts{"# top", "# one", "# two", "# three", "# four", "# five"});
    CHECK(of_yaml("a: &x#y b\n") == Texts{});
    CHECK(of_yaml("a:\n  # under\n  b: # null\n\n#end") == Texts{"# under", "# null", "#end"});
}

TEST_CASE("a block scalar holds no comment, but its header line may") {
    CHECK(of_yaml("a: | # header\n  # text\n  x # text\n\n# behind\nb: >-\n  # text\nc: | # alone\n") ==
          Texts{"# header", "# behind", "# alone"});
}

TEST_CASE("a comment ends before the line break") {
    CHECK(of_yaml("a: b # x\r\n# y\r\n") == Texts{"# x", "# y"});
    CHECK(of_lines("a # x\r\n# y\r\n") == Texts{"# x", "# y"});
}

TEST_CASE("a broken document still shows its comments") {
    CHECK(of_yaml("a: [ # one\nb: \"x # y\" # two\n---\nc: d # three\n") == Texts{"# one", "# two", "# three"});
}

TEST_CASE("template comments of a masked file count, and YAML comments are not looked for inside actions") {
    const std::string text = "{{- /* lockstep: ignore[x] why */ -}}\na: {{ .x }} # yaml\n{{ if eq .y \"# no\" }}\n"
                             "b: {{ .c }}\n{{ end }}# tail\n# with {{/* inner */}} action\n";
    CHECK(of_yaml(text) ==
          Texts{"{{- /* lockstep: ignore[x] why */ -}}", "# yaml", "# tail", "# with {{/* inner */}} action"});
}

TEST_CASE("a slice shows its own comments only") {
    const std::string text = "a: | # outer\n  b: c # inner\n  # more\n# behind\n";
    const YamlText yaml = parse_yaml_slice(text, {13, 36}, 2);
    CHECK(shown(text, yaml_comments(yaml)) == Texts{"# inner", "# more"});
}

TEST_CASE("line comments are behind a blank and outside quotes") {
    CHECK(of_lines("#!/bin/sh\necho $# a#b # one\nx='# no' # two\ny=\"a \\\" # no\" # three\n\t# four\n") ==
          Texts{"#!/bin/sh", "# one", "# two", "# three", "# four"});
    CHECK(of_lines("it's one # two, don't # three\n") == Texts{"# two, don't # three"});
    CHECK(of_lines("echo 'open # still a comment\n") == Texts{"# still a comment"});
    CHECK(of_lines("echo \\# no \\' # yes\n") == Texts{"# yes"});
    CHECK(of_lines("") == Texts{});
}

TEST_CASE("blanking keeps every offset and line break") {
    const std::string text = "a # é\nb {{/* x\ny */}} c";
    const auto at = static_cast<std::uint32_t>(text.find("{{"));
    const std::string blank = blank_comments(text, {{2, 6}, {at, static_cast<std::uint32_t>(text.find(" c"))}});
    CHECK(blank.size() == text.size());
    CHECK(blank == "a     \nb       \n       c");
}

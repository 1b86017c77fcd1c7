// Masks keep every byte outside of actions, at its offset, and leave YAML that means what the template is about.
#include "yaml/mask.h"
#include "yaml/parse.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

// The mask of a Go template, checked to be YAML of the same length.
std::string go(std::string_view text) {
    const std::string masked = mask_go_template(text);
    CHECK(masked.size() == text.size());
    const YamlText yaml = parse_yaml(masked);
    for (const YamlProblem& problem : yaml.problems)
        if (problem.kind == YamlProblem::Kind::syntax) FAIL_CHECK(problem.message << "\n" << masked);
    return masked;
}

std::string terraform(std::string_view text) {
    const std::string masked = mask_terraform(text);
    CHECK(masked.size() == text.size());
    CHECK(parse_yaml(masked).problems.empty());
    return masked;
}

std::string blanks(std::size_t count) {
    return std::string(count, ' ');
}
std::string word(std::size_t count) {
    return std::string(count, 'x');
}

} // namespace

TEST_CASE("text without actions stays as it is") {
    CHECK_FALSE(has_template_action("a: {b: c}\n"));
    CHECK(has_template_action("a: {{ b }}\n"));
    CHECK(go("a: {b: c}\n# it's } }} fine\n") == "a: {b: c}\n# it's } }} fine\n");
    CHECK(go("").empty());
    CHECK(mask_go_template("a: {{ never closed\n") == "a: {{ never closed\n");
    CHECK(go("# a {{ that never closes\na: {{ .x }}\n") == "# a {{ that never closes\na: xxxxxxxx\n");
}

TEST_CASE("control actions on their own lines become blanks") {
    CHECK(go("{{- if .x }}\nname: {{ .y }}\n{{- end }}\n") == blanks(12) + "\nname: xxxxxxxx\n" + blanks(10) + "\n");
    CHECK(go("a:\n  {{- range .x }}\n  - b\n  {{- end }}\n") == "a:\n" + blanks(17) + "\n  - b\n" + blanks(12) + "\n");
    CHECK(go("{{- $x := dict \"a\" 1 -}}\na: b\n") == blanks(24) + "\na: b\n");
    CHECK(go("{{ end }} # why\na: b\n") == blanks(9) + " # why\na: b\n");
    CHECK(go("{{ end }}# why\na: b\n") == blanks(9) + "# why\na: b\n");
}

TEST_CASE("actions over several lines keep their line breaks, but for those that are one scalar") {
    CHECK(go("{{- /*\n- a: [\n*/ -}}\nb: c\n") == blanks(6) + "\n" + blanks(6) + "\n" + blanks(6) + "\nb: c\n");
    CHECK(go("{{- if and .a\r\n  .b }}\r\nb: c\r\n") == blanks(13) + "\r\n" + blanks(7) + "\r\nb: c\r\n");
    CHECK(go("a: {{ dict\n  \"b\" 1 }}\nc: d\n") == "a: " + word(18) + "\nc: d\n");
    CHECK(go("a: {{ dict\n  \"b\" 1 }}-tail\n") == "a: " + word(18) + "-tail\n");
    CHECK(go("{{ dict\n1 }}: b\n") == word(12) + ": b\n");
}

TEST_CASE("strings, raw strings and comments may hold the closing braces") {
    CHECK(go("a: {{ \"}}\" }}b\n") == "a: xxxxxxxxxxb\n");
    CHECK(go("a: {{ \"\\\"}}\" }}b\n") == "a: xxxxxxxxxxxxb\n");
    CHECK(go("a: {{`{{ $x }}`}}b\n") == "a: " + word(14) + "b\n");
    CHECK(go("a: {{/* }} */}}\n") == "a: " + blanks(12) + "\n");
    CHECK(go("a: {{ \"{{\" }} b {{ '}' }}\n") == "a: xxxxxxxxxx b xxxxxxxxx\n");
    CHECK(go("a: {{ \"broken }}\nb: {{ \"c\" }}\n") == "a: xxxxxxxxxxxxx\nb: xxxxxxxxx\n");
}

TEST_CASE("an action inside a scalar becomes part of one plain scalar") {
    CHECK(go("a: {{ ternary \"b: c\" \"d # e\" .x }}\n") == "a: " + word(31) + "\n");
    CHECK(go("a: {{ .b }}:{{ .c }} # {{ .d }}\n") == "a: xxxxxxxx:xxxxxxxx # xxxxxxxx\n");
    CHECK(go("a: \"{{ .b | quote }}:{{ .c }}\"\n") == "a: \"xxxxxxxxxxxxxxxx:xxxxxxxx\"\n");
    CHECK(go("{{ .k }}-tail: v\n\"{{ .q }}\": v\n") == "xxxxxxxx-tail: v\n\"xxxxxxxx\": v\n");
    CHECK(go("- {{ .a }}\n- {{ .b }}{{ .c }}\n- --d={{ .e }}\n") == "- xxxxxxxx\n- xxxxxxxxxxxxxxxx\n- --d=xxxxxxxx\n");
    CHECK(go("a: !!str {{ .b }}\nc: &d {{ .e }}\n") == "a: !!str xxxxxxxx\nc: &d xxxxxxxx\n");
}

TEST_CASE("an if inside a value makes the value unknown") {
    CHECK(go("a: {{ if .x }}b{{ end }}\n") == "a: xxxxxxxxxxxbxxxxxxxxx\n");
    CHECK(go("a: {{ if .x }}\"b\"{{ else }}\"c\"{{ end }}\n") == "a: xxxxxxxxxxx\"b\"xxxxxxxxxx\"c\"xxxxxxxxx\n");
    CHECK(go("a: b {{- end }}\n") == "a: b " + blanks(10) + "\n");
    CHECK(go("a: \"b\" {{/* why */}}\nc: {}{{ end }}\n") == "a: \"b\" " + blanks(13) + "\nc: {}" + blanks(9) + "\n");
}

TEST_CASE("a whole value is dropped when its lines are below") {
    CHECK(go("a: {{- include \"x\" . | nindent 2 }}\n  b: c\n") == "a: " + blanks(32) + "\n  b: c\n");
    CHECK(go("a: {{- toYaml .x }}\n{{- if .y }}\n- b\n{{- end }}\n") ==
          "a: " + blanks(16) + "\n" + blanks(12) + "\n- b\n" + blanks(10) + "\n");
    CHECK(go("a: {{ .x }}\nb: c\n") == "a: xxxxxxxx\nb: c\n");
    CHECK(go("- {{ .x }}\n- {{ .y }}\n") == "- xxxxxxxx\n- xxxxxxxx\n");
    CHECK(go("- {{- toYaml .x | nindent 2 }}\n  b: c\n") == "- " + blanks(28) + "\n  b: c\n");
    CHECK(go("a: {{ .x }}\n  goes on\n") == "a: xxxxxxxx\n  goes on\n");
    CHECK(go("a:{{ toYaml .x | nindent 2 }}\nb:{{- toYaml .x | nindent 2 }}\n  c: d\n") ==
          "a: " + word(26) + "\nb:" + blanks(28) + "\n  c: d\n");
}

TEST_CASE("an action that is all there is below a key is its value") {
    CHECK(go("a:\n  {{- toYaml .x | nindent 2 }}\nb: c\n") == "a:\n  " + word(28) + "\nb: c\n");
    CHECK(go("a:\n{{ toYaml .x | indent 2 }}\nb: c\n") == "a:\n  " + word(24) + "\nb: c\n");
    CHECK(go("a:\n  {{- toYaml .x | nindent 2 }}\n  b: c\n") == "a:\n" + blanks(30) + "\n  b: c\n");
    CHECK(go("a:\n  {{- if .x }}\n  {{- end }}\nb: c\n") == "a:\n" + blanks(14) + "\n" + blanks(12) + "\nb: c\n");
    CHECK(go("a:\n  b: c\n  {{- toYaml .x | nindent 2 }}\n") == "a:\n  b: c\n" + blanks(30) + "\n");
}

TEST_CASE("actions in a block scalar are lines of it") {
    CHECK(go("a: |\n  {{- if .x }}\n  text {{ .y }}\n  {{- end }}\nb: c\n") ==
          "a: |\n  xxxxxxxxxxxx\n  text xxxxxxxx\n  xxxxxxxxxx\nb: c\n");
    CHECK(go("a: |\n{{ .Files.Get \"x\" | indent 2 }}\nb: c\n") == "a: |\n  " + word(29) + "\nb: c\n");
    CHECK(go("a: |\n  one\n{{- if .x }}\n  two\n{{- end }}\nb: c\n") ==
          "a: |\n  one\n  xxxxxxxxxx\n  two\n#" + blanks(9) + "\nb: c\n");
    CHECK(go("- |\n  {{- if .x }}\n    deep\n  {{- end }}\n  flat\n") ==
          "- |\n  xxxxxxxxxxxx\n    deep\n  xxxxxxxxxx\n  flat\n");
    CHECK(go("a: |-{{ .x | nindent 2 }}\nb: >- {{ .x | nindent 2 }}\n  text\nc: d\n") ==
          "a: |-\n  " + word(17) + "\nb: >- \n  " + word(17) + "\n  text\nc: d\n");
    CHECK(go("a: | {{- if .x }}\n  text\n  {{- end }}\n") == "a: | " + blanks(12) + "\n  text\n  xxxxxxxxxx\n");
    CHECK(go("a: |2\n    {{ .x }}\n  b\n") == "a: |2\n    xxxxxxxx\n  b\n");
}

TEST_CASE("actions behind a block scalar are no lines of it") {
    const std::string masked = go("a: |\n  text\n{{- if .x }}\n{{ if .y }}b: c{{ end }}\n{{- end }}\n");
    const YamlText yaml = parse_yaml(masked);
    CHECK(NodeRef(&yaml, yaml.documents.at(0).root).get("a").text() == "text\n");
    CHECK(NodeRef(&yaml, yaml.documents.at(0).root).get("b").text() == "c");
    CHECK(go("a: |\n  text\n{{ if .y }}b: c{{ end }}\n") ==
          "a: |\n  text\n#" + blanks(9) + "\nb: c" + blanks(9) + "\n");
}

TEST_CASE("a key or item behind an if keeps the column it would have") {
    CHECK(go("{{ if .x }}a: b{{ end }}\n") == blanks(10) + "\na: b" + blanks(9) + "\n");
    CHECK(go("a:\n  {{ range .x }}- {{ . }}\n  {{ end }}\n") ==
          "a:\n  " + blanks(11) + "\n  - xxxxxxx\n" + blanks(11) + "\n");
    CHECK(go("{{ if .x }}a: b{{ else }}a: c{{ end }}\n") ==
          blanks(10) + "\na: b" + blanks(9) + "\na: c" + blanks(9) + "\n");
    CHECK(go("{{ if .x }}---\na: b\n{{ end }}\n") == blanks(10) + "\n---\na: b\n" + blanks(9) + "\n");
    CHECK(go("{{ if .x }}a{{ else }}b{{ end }}: c\n") == "xxxxxxxxxxxaxxxxxxxxxxbxxxxxxxxx: c\n");
    CHECK(go("a:\n  b: c\n{{ $k | indent 2 }}: d\n") == "a:\n  b: c\n  " + word(17) + ": d\n");
}

TEST_CASE("flow collections and quotes over several lines") {
    CHECK(go("a: [{{ join \",\" .x }}]\n") == "a: [" + word(17) + "]\n");
    CHECK(go("a: [{{ range .x }}\"{{ . }}\",{{ end }}]\n") == "a: [" + blanks(14) + "\"xxxxxxx\"," + blanks(9) + "]\n");
    CHECK(go("a: {\n  \"b\": {{ .x }}{{ if .y }},{{ end }}\n  {{- if .z }}\n  \"c\": 1\n  {{- end }}}\n") ==
          "a: {\n  \"b\": xxxxxxxx" + blanks(11) + "," + blanks(9) + "\n" + blanks(14) + "\n  \"c\": 1\n" + blanks(12) +
              "}\n");
    CHECK(go("a: \"one\n  {{- if .x }}\n  two {{ .y }}\n  {{- end }}\"\nb: c\n") ==
          "a: \"one\n" + blanks(14) + "\n  two xxxxxxxx\n  xxxxxxxxxx\"\nb: c\n");
    CHECK(mask_go_template("a: \"never closed\nb: {{ .x }}\n  c: {{ .y }}\n") ==
          "a: \"never closed\nb:         \n  c: xxxxxxxx\n");
}

TEST_CASE("definitions are documents of their own") {
    const std::string masked = go("{{- define \"a\" -}}\nname-{{ .x }}\n{{- end -}}\nb: c\n");
    CHECK(masked == "---" + blanks(15) + "\nname-xxxxxxxx\n---" + blanks(8) + "\nb: c\n");
    CHECK(go("--- {{ if .x }}\na: b\n---{{ if .x }}\n") == "--- " + blanks(11) + "\na: b\n---" + blanks(11) + "\n");
}

TEST_CASE("hostile templates are masked in linear time") {
    for (const std::string_view piece :
         {"{{ \"\\\"}}", "{{ ", "{{/* ", "{{ `", "a: {{ if .x }}b: c{{ else }}", "{{\"'{{'\"", "{{ end }}", "a: |\n",
          "{{ if .x }}\n", "a:\n{{ toYaml .x }}\n", "${", "${\"", "%{ if x }\n", "\"{{", "a: [{{ .x }},\n"}) {
        std::string text;
        while (text.size() < 300'000)
            text += piece;
        CHECK(mask_go_template(text).size() == text.size());
        CHECK(mask_go_template(text + " }}").size() == text.size() + 3);
        CHECK(mask_terraform(text).size() == text.size());
    }
}

TEST_CASE("Terraform directives become blanks, interpolations words") {
    CHECK(terraform("%{ if x ~}\n- a\n%{ endif ~}\n") == blanks(10) + "\n- a\n" + blanks(11) + "\n");
    CHECK(terraform("a: ${b}-${c}\nd: \"${e}\"\n") == "a: xxxx-xxxx\nd: \"xxxx\"\n");
    CHECK(terraform("a: ${jsonencode({ b = \"}\" })}\n") == "a: " + word(26) + "\n");
    CHECK(terraform("a: ${f(\"x ${g(\"}\")} y\")}\n") == "a: " + word(21) + "\n");
    CHECK(terraform("a: ${f({\n  b = 1 # }\n})}\nc: d\n") == "a: " + word(21) + "\nc: d\n");
    CHECK(terraform("a: %{ if x }b%{ else }c%{ endif }\n") == "a: xxxxxxxxxbxxxxxxxxxcxxxxxxxxxx\n");
    CHECK(terraform("a: $${b} %%{c}\n") == "a: $${b} %%{c}\n");
    CHECK(mask_terraform("a: ${never\nb: ${c}\n") == "a: ${never\nb: xxxx\n");
}

TEST_CASE("Terraform in a block scalar keeps the scalar together") {
    CHECK(terraform(
              "- content: |\n    a: ${f({\n      b = 1\n    })}\n    c: ${d}\n%{ if x ~}\n    e\n%{ endif ~}\n- f\n") ==
          "- content: |\n    a: xxxxx\n" + blanks(11) + "\n" + blanks(7) + "\n    c: xxxx\n    xxxxxx\n    e\n#" +
              blanks(10) + "\n- f\n");
}

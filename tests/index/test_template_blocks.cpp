// Defines and files of templates, whom they call, and whether a condition surrounds the call.
#include "index/template_blocks.h"
#include "index/template_gates.h"
#include <doctest/doctest.h>

using namespace lockstep;

TEST_CASE("a file and its defines are blocks of their own") {
    const auto blocks =
        template_blocks(0, R"({{ define "a" }}{{ include "b" . }}{{ end }}{{ template "a" . }})", "x.yaml");
    REQUIRE(blocks.size() == 2);
    CHECK(blocks[0].name == "/x.yaml");
    REQUIRE(blocks[0].calls.size() == 1);
    CHECK(blocks[0].calls[0].name == "a");
    CHECK(blocks[1].name == "a");
    REQUIRE(blocks[1].calls.size() == 1);
    CHECK(blocks[1].calls[0].name == "b");
    CHECK_FALSE(blocks[1].calls[0].guarded);
}

TEST_CASE("what is inside if, range, with, else or behind and/or is guarded, a condition itself is not") {
    const auto calls =
        template_blocks(0, R"({{ if include "a" . }}{{ include "b" . }}{{ else if include "c" . }}{{ end }}
{{ include "d" . }}{{ or .x (include "e" .) }})",
                        "x.yaml")[0]
            .calls;
    REQUIRE(calls.size() == 5);
    CHECK_FALSE(calls[0].guarded);
    CHECK(calls[1].guarded);
    CHECK(calls[2].guarded);
    CHECK_FALSE(calls[3].guarded);
    CHECK(calls[4].guarded);
}

TEST_CASE("a file of the chart is called by its path, comments and names that are not written out call nobody") {
    const auto calls = template_blocks(0, R"({{/* include "a" . */}}{{ include $name . }}{{ .include "b" }}
{{ include (print $.Template.BasePath "/config.yaml") . | sha256sum }})",
                                       "x.yaml")[0]
                           .calls;
    REQUIRE(calls.size() == 1);
    CHECK(calls[0].name == "/config.yaml");
}

TEST_CASE("words inside strings neither call nor guard") {
    const auto calls =
        template_blocks(0, R"({{ `{{ include "a" . }}` }}{{ include "b" (list "this or \" or that") }})", "x.yaml")[0]
            .calls;
    REQUIRE(calls.size() == 1);
    CHECK(calls[0].name == "b");
    CHECK_FALSE(calls[0].guarded);
}

TEST_CASE("gates are the conditions that are open at a place, defines are none") {
    const std::string_view text = R"({{ if .a }}{{ end }}{{ define "x" }}{{ with .b }}HERE{{ end }}{{ end }})";
    const auto gates = gates_around(text, go_actions(text), text.find("HERE"));
    REQUIRE(gates.size() == 1);
    CHECK(gates[0] == "{{ with .b }}");
    CHECK(gates_around(text, go_actions(text), text.size()).empty());
}

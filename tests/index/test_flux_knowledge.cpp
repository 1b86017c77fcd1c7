// What is known of Flux releases, and which words of a template are functions.
#include "index/flux_knowledge.h"
#include "index/template_words.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

Table table(std::vector<std::string> columns, const std::vector<std::vector<std::string>>& rows) {
    Table made;
    made.columns = std::move(columns);
    for (const auto& cells : rows) {
        Row row;
        for (const std::string& text : cells)
            row.cells.push_back({text.empty() ? State::absent : State::known, text, {}});
        made.rows.push_back(std::move(row));
    }
    return made;
}

Version version(std::string_view text) {
    return parse_version(text).value();
}

std::string functions(std::string_view text) {
    std::string out;
    for (const TemplateWord& word : template_functions(text)) {
        CHECK(text.substr(word.span.begin, word.span.end - word.span.begin) == word.name);
        out += (out.empty() ? "" : " ") + word.name;
    }
    return out;
}

} // namespace

TEST_CASE("a pin between two releases that were read is unsure, and so is one before the first") {
    const Table helm = table({"flux", "helm"}, {{"2.4.0", "3.16.1"}, {"2.5.0", "3.17.1"}, {"2.0.0", "3.12.1"}});
    const FluxKnowledge known(&helm, nullptr, nullptr);
    CHECK(known.has(version("2.5.0"), "2.5.0") == Known::yes);
    CHECK(known.has(version("2.9.0"), "2.5.0") == Known::yes);
    CHECK(known.has(version("2.4.0"), "2.5.0") == Known::no);
    CHECK(known.has(version("2.4.7"), "2.5.0") == Known::unsure);
    CHECK(known.has(version("0.20.0"), "2.5.0") == Known::unsure);
    CHECK(known.oldest() == "2.0.0");
    CHECK(known.newest() == "2.5.0");
    CHECK(known.is_newer(version("2.5.1")));
    CHECK(known.helm_of(version("v2.4.0")) == "3.16.1");
    CHECK(known.helm_of(version("2.4.1")).empty());
    CHECK(known.flux_with_helm("3.16.0") == "2.4.0");
    CHECK(known.newest_in(*Range::parse("2.4.x")) == "2.4.0");
    CHECK(known.newest_in(*Range::parse("3.x")).empty());
}

TEST_CASE("fields are read with their nesting, and the first release that has one counts") {
    const Table apis = table({"api", "served", "deprecated", "gone"},
                             {{"g.io/v2/Thing", "2.3.0", "", ""}, {"g.io/v1/Thing", "2.0.0", "2.3.0", "2.8.0"}});
    const Table fields = table({"api", "since", "fields"}, {{"g.io/v2/Thing", "2.3.0", "a{b{c d} e} f"},
                                                            {"g.io/v2/Thing", "2.5.0", "a{b{x}} y{z}"}});
    const FluxKnowledge known(nullptr, &apis, &fields);
    const FluxApi* api = known.api("g.io", "v2", "Thing");
    REQUIRE(api);
    CHECK(api->version() == "v2");
    CHECK(api->spec.fields.at("a").since == "2.3.0");
    CHECK(api->spec.fields.at("a").fields.at("b").fields.at("d").since == "2.3.0");
    CHECK(api->spec.fields.at("a").fields.at("b").fields.at("x").since == "2.5.0");
    CHECK(api->spec.fields.at("f").fields.empty());
    CHECK(api->spec.fields.at("y").fields.at("z").since == "2.5.0");
    REQUIRE(known.versions("g.io", "Thing").size() == 2);
    CHECK(known.versions("g.io", "Thing").back() == api);
    CHECK(known.versions("g.io", "Other").empty());
}

TEST_CASE("bare words of actions are functions; fields, variables, strings and keywords are not") {
    CHECK(functions("a: {{ .Values.x | default (printf \"%s quote\" $name.y) | quote }}") == "default printf quote");
    CHECK(functions("{{- range $i, $e := until 3 }}{{ $e }}{{ else }}{{ nil }}{{ end -}}") == "until");
    CHECK(functions("{{/* toYaml */}}{{ `raw {{ toYaml` }}{{ 'x' }}{{ \"\\\" toYaml\" }}") == "");
    CHECK(functions("{{ define \"a.b\" }}{{ template \"c\" . }}{{ (index .a \"b\").c.d }}{{ end }}") == "index");
    CHECK(functions("{{ add 1e3 0x1F -2 1_000 }} toYaml {{- $x.y.z }}") == "add");
    CHECK(functions("{{ if (and (eq .a \"b\") true) }}{{ else if lookup \"v1\" }}{{ end }}") == "and eq lookup");
}

TEST_CASE("what a condition on the cluster guards is covered, its other branch too") {
    const std::string text =
        "a\n{{ if .Values.x }}b{{ end }}\n{{ if .Capabilities.APIVersions.Has \"v1\" }}c{{ else }}d{{ end }}e";
    const TemplateGuards guards(text);
    CHECK(guards.covers(static_cast<std::uint32_t>(text.find("}}c") + 2)));
    CHECK(guards.covers(static_cast<std::uint32_t>(text.find("}}d") + 2)));
    CHECK_FALSE(guards.covers(static_cast<std::uint32_t>(text.find("}}b") + 2)));
    CHECK_FALSE(guards.covers(static_cast<std::uint32_t>(text.size() - 1)));
    CHECK_FALSE(guards.covers(0));
}

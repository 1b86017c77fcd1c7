#include "chart_folder.h"
#include "helm/line_places.h"
#include "helm/render.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

const std::string helpers =
    "{{ define \"there\" }}{{ if lookup \"v1\" \"Secret\" \"a\" \"b\" }}true{{ end }}{{ end }}"
    "{{ define \"known\" }}{{ if .Values.off }}true{{ end }}{{ end }}"
    "{{ define \"outer\" }}{{ include \"there\" . }}{{ end }}"
    "{{ define \"name\" }}app{{ if lookup \"v1\" \"Secret\" \"a\" \"b\" }}-x{{ end }}{{ end }}"
    "{{ define \"change\" }}{{ $_ := set .Values \"q\" 5 }}{{ end }}"
    "{{ define \"state\" }}{{ if lookup \"v1\" \"Secret\" \"a\" \"b\" }}{{ include \"change\" . "
    "}}{{ end }}{{ end }}";

// `s` is something of the cluster; the action after `a:` says what is printed.
void render(ChartRendering& rendering, const std::string& before, const std::string& action) {
    const std::map<std::string, std::string> files = {
        {"Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2.3\n"},
        {"values.yaml", "off: false\nm: {}\n"},
        {"templates/_h.tpl", helpers},
        {"templates/t.yaml", "{{- $s := lookup \"v1\" \"Secret\" \"a\" \"b\" }}{{ $d := dict \"k\" 1 }}{{ $v := 1 }}" +
                                 before + "\nkind: A\na: " + action + "\nb: 1\n"}};
    Result<LoadedChart*> loaded = load_chart(rendering.arena, rendering.store, memory_reader(files));
    REQUIRE(loaded);
    rendering.chart = *loaded;
    render_chart(rendering, make_map(rendering.arena), {});
}

bool is_unknown(const std::string& before, const std::string& action) {
    ChartRendering rendering;
    render(rendering, before, action);
    if (rendering.failure) return rendering.failure->unknown;
    REQUIRE(rendering.manifests.size() == 1);
    const auto lines = LinePlacer(rendering).lines(rendering.manifests[0]);
    CHECK(!lines.back().unknown); // `b: 1`
    return lines[1].unknown;
}

} // namespace

TEST_CASE("what is made of a text whose template asked the cluster is unknown, also when the text is empty") {
    for (const char* action :
         {"{{ include \"there\" . | default 6 }}", "{{ if include \"there\" . }}1{{ else }}2{{ end }}",
          "{{ eq (include \"there\" .) \"\" }}", "{{ empty (include \"there\" .) }}", "{{ include \"there\" . | len }}",
          "{{ not (include \"outer\" .) }}",
          "{{ tpl \"{{ if lookup \\\"v1\\\" \\\"S\\\" \\\"a\\\" \\\"b\\\" }}x{{ end }}\" . | default 7 }}",
          "{{ printf \"%s\" (include \"there\" .) | trim | default 7 }}",
          "{{ without (list (include \"there\" .)) \"\" | len }}", "{{ eq (include \"name\" .) \"app\" }}",
          "{{ if not (include \"there\" .) }}{{ fail \"x\" }}{{ end }}",
          "{{ range list 1 2 }}{{ if $s }}{{ continue }}{{ end }}x{{ end }}",
          "{{ range list 1 2 }}x{{ if $s }}{{ break }}{{ end }}{{ end }}"}) {
        CHECK_MESSAGE(is_unknown("", action), action);
    }
    for (const char* action :
         {"{{ include \"known\" . | default 6 }}", "{{ if include \"known\" . }}1{{ else }}2{{ end }}",
          "{{ if include \"name\" . }}1{{ end }}", "{{ if not (include \"known\" .) }}{{ fail \"x\" }}{{ end }}",
          "{{ if include \"name\" . }}{{ fail (include \"name\" .) }}{{ end }}",
          "{{ range list 1 2 }}{{ range list 1 }}{{ if $s }}{{ break }}{{ end }}{{ end }}x{{ end }}"}) {
        CHECK_MESSAGE(!is_unknown("", action), action);
    }
}

TEST_CASE("what a branch may have changed is unknown where the cluster decides about the branch") {
    CHECK(is_unknown("{{ if $s }}{{ $_ := set $d \"k\" 2 }}{{ end }}", "{{ $d.k }}"));
    CHECK(is_unknown("{{ if $s }}{{ $_ := set $d \"n\" 2 }}{{ end }}", "{{ $d.n | default 4 }}"));
    CHECK(is_unknown("{{ if $s }}{{ $_ := unset $d \"k\" }}{{ end }}", "{{ hasKey $d \"k\" }}"));
    CHECK(is_unknown("{{ if $s }}{{ $_ := merge $d .Values }}{{ end }}", "{{ len $d }}"));
    CHECK(is_unknown("{{ if not $s }}{{ include \"change\" . }}{{ end }}", "{{ .Values.q }}"));
    CHECK(is_unknown("{{ include \"state\" . }}", "{{ .Values.q | default 7 }}"));
    CHECK(is_unknown("{{ if $s }}{{ $v = 2 }}{{ end }}",
                     "{{ tpl \"{{ .v }}\" (dict \"v\" $v \"Template\" .Template) }}"));
    CHECK(!is_unknown("{{ if $s }}{{ $_ := set $d \"n\" 2 }}{{ end }}", "{{ $d.k }}"));
    CHECK(!is_unknown("{{ if .Values.off }}{{ $_ := set $d \"k\" 2 }}{{ end }}", "{{ $d.k }}"));
    CHECK(!is_unknown("{{ include \"state\" . }}", "{{ .Values.off }}"));
}

TEST_CASE("a known value that an unknown key chose, and a path through what the cluster has") {
    CHECK(is_unknown("", "{{ index (dict \"true\" 1 \"false\" 2) (printf \"%t\" (empty $s)) }}"));
    CHECK(is_unknown("", "{{ get (dict \"true\" 1) (printf \"%t\" (empty $s)) }}"));
    CHECK(is_unknown("", "{{ dig (printf \"%t\" (empty $s)) \"x\" (dict \"true\" \"y\") }}"));
    CHECK(is_unknown("", "{{ $s.data.foo.bar }}"));
    CHECK(!is_unknown("", "{{ index (dict \"true\" 1) (printf \"%t\" true) }}"));
    CHECK(!is_unknown("", "{{ .Values.m.foo.bar }}"));
}

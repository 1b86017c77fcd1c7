#include "chart_folder.h"
#include "helm/render.h"
#include "helm/yaml_read.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

using Files = std::map<std::string, std::string>;

struct Rendered {
    std::string out, error;
    std::vector<std::string> places; // of the error, `file:line`
    bool limit = false;
    std::size_t gaps = 0;
};

Rendered render(const Files& files, const std::string& values = "", RenderOptions options = {}) {
    ChartRendering rendering;
    Rendered result;
    Result<LoadedChart*> loaded = load_chart(rendering.arena, rendering.store, memory_reader(files));
    if (!loaded) {
        result.error = loaded.error().message;
        return result;
    }
    rendering.chart = *loaded;
    auto text = std::make_shared<const std::string>(values);
    const YamlRead read = read_yaml(rendering.arena, *text, rendering.store.sources.add("given.yaml", text));
    render_chart(rendering, read.value, options);
    result.gaps = rendering.gaps.size();
    if (rendering.failure) {
        result.error = rendering.failure->message;
        result.limit = rendering.failure->limit;
        for (const Place place : rendering.failure->places) {
            if (place.file == no_file) continue;
            const LineTable table(*rendering.store.sources.texts[place.file]);
            result.places.push_back(rendering.store.sources.paths[place.file] + ":" +
                                    std::to_string(table.position(place.span.begin).line));
        }
        return result;
    }
    result.out = template_output(rendering);
    return result;
}

Files with(Files files) {
    files.insert({"Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2.3\n"});
    return files;
}

} // namespace

TEST_CASE("a null among given values takes a default away, tables are merged") {
    const Rendered got =
        render(with({{"values.yaml", "a: {x: 1, w: 2}\nb: keep\n"}, {"templates/t.yaml", "v: {{ toJson .Values }}\n"}}),
               "a: {x: null, z: 3}\n");
    CHECK(got.error == "");
    CHECK(got.out == "---\n# Source: web/templates/t.yaml\nv: {\"a\":{\"w\":2,\"z\":3},\"b\":\"keep\"}\n");
}

TEST_CASE("charts inside: conditions, aliases, globals and values that are handed up") {
    const Files files = {
        {"Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2.3\ndependencies:\n"
                       "- {name: db, version: ^1, repository: '', condition: db.enabled, import-values: [shared]}\n"
                       "- {name: db, version: ^1, repository: '', alias: cache}\n"
                       "- {name: off, version: ^1, repository: '', tags: [extra]}\n"},
        {"values.yaml", "global: {zone: z1}\ndb: {enabled: true, size: 5}\ntags: {extra: false}\n"},
        {"templates/t.yaml", "kind: A\nport: {{ .Values.port }}\n"},
        {"charts/db/Chart.yaml", "apiVersion: v2\nname: db\nversion: 1.0.0\n"},
        {"charts/db/values.yaml", "size: 1\nexports: {shared: {port: 5432}}\n"},
        {"charts/db/templates/s.yaml",
         "kind: B\nname: {{ .Chart.Name }}\nsize: {{ .Values.size }}\nzone: {{ .Values.global.zone }}\n"},
        {"charts/off/Chart.yaml", "apiVersion: v2\nname: off\nversion: 1.0.0\n"},
        {"charts/off/templates/s.yaml", "kind: C\n"},
    };
    const Rendered got = render(files);
    CHECK(got.error == "");
    CHECK(got.out.find("port: 5432") != std::string::npos);
    CHECK(got.out.find("# Source: web/charts/db/templates/s.yaml\nkind: B\nname: db\nsize: 5\nzone: z1\n") !=
          std::string::npos);
    CHECK(got.out.find("# Source: web/charts/cache/templates/s.yaml\nkind: B\nname: cache\nsize: 1\nzone: z1\n") !=
          std::string::npos);
    CHECK(got.out.find("kind: C") == std::string::npos);
    const Rendered without = render(files, "db: {enabled: false}\n");
    CHECK(without.out.find("charts/db/") == std::string::npos);
}

TEST_CASE("a dependency that is not at hand is an error as in Helm, or a gap") {
    const Files files = {{"Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2.3\ndependencies:\n- {name: db, "
                                        "version: ^1, repository: 'https://x'}\n"},
                         {"templates/t.yaml", "kind: A\n"}};
    CHECK(render(files).error.find("missing in charts/ directory: db") != std::string::npos);
    RenderOptions options;
    options.missing_dependency_is_gap = true;
    const Rendered got = render(files, "", options);
    CHECK(got.error == "");
    CHECK(got.gaps == 1);
    CHECK(got.out.find("kind: A") != std::string::npos);
}

TEST_CASE("mistakes are found on their own line") {
    CHECK(render(with({{"templates/t.yaml", "a: 1\nb: {{ .Values.x.y }}\n"}})).places ==
          std::vector<std::string>{"templates/t.yaml:2"});
    CHECK(render(with({{"templates/t.yaml", "a: 1\nb: {{ include \"no\" . }}\n"}})).places ==
          std::vector<std::string>{"templates/t.yaml:2"});
    const Rendered deep = render(with({{"templates/_h.tpl", "{{ define \"h\" }}\n{{ fail \"stop\" }}\n{{ end }}"},
                                       {"templates/t.yaml", "a: {{ include \"h\" . }}\n"}}));
    CHECK(deep.error == "execution error at (web/templates/t.yaml:1:6): stop");
    CHECK(deep.places == std::vector<std::string>{"templates/_h.tpl:2", "templates/t.yaml:1"});
    CHECK(render(with({{"templates/t.yaml", "a: 1\n{{ if }}\n"}})).places ==
          std::vector<std::string>{"templates/t.yaml:2"});
    CHECK(render(with({{"values.yaml", "a: '}{'\n"}, {"templates/t.yaml", "a: {{ tpl \"{{ nope }}\" . }}\n"}}))
              .error.find("cannot parse template") != std::string::npos);
}

TEST_CASE("a chart bomb ends with a message") {
    RenderOptions options;
    options.limits.steps = 100000;
    options.limits.output = 1 << 20;
    options.limits.memory = 64 << 20;
    for (const char* bomb :
         {"{{ define \"a\" }}{{ include \"a\" . }}{{ end }}{{ include \"a\" . }}",
          "{{ define \"a\" }}{{ template \"a\" . }}{{ end }}{{ template \"a\" . }}",
          "{{ define \"a\" }}{{ tpl \"{{ include \\\"a\\\" . }}\" . }}{{ end }}{{ include \"a\" . }}",
          "{{ range until 1000000 }}{{ range until 1000000 }}x{{ end }}{{ end }}",
          "{{ $x := \"x\" }}{{ range until 100 }}{{ $x = printf \"%s%s\" $x $x }}{{ end }}",
          "{{ range 9223372036854775807 }}{{ end }}", "{{ repeat 1000000000 \"x\" }}",
          "{{ printf \"%2000000000d\" 1 }}", "{{ $d := dict }}{{ $_ := set $d \"d\" $d }}{{ toYaml $d }}"}) {
        ChartRendering rendering(options.limits);
        Result<LoadedChart*> loaded =
            load_chart(rendering.arena, rendering.store, memory_reader(with({{"templates/t.yaml", bomb}})));
        REQUIRE(loaded);
        rendering.chart = *loaded;
        render_chart(rendering, make_map(rendering.arena), options);
        CHECK_MESSAGE((rendering.failure.has_value() || rendering.manifests.size() <= 1), bomb);
    }
}

TEST_CASE("work of functions is counted: what is shared, what scrambles, what searches") {
    RenderOptions options;
    options.limits.work = 4 << 20;
    for (const char* bomb :
         {"{{ $l := list }}{{ range until 40 }}{{ $l = list $l $l }}{{ end }}\n{{ $l }}",
          "{{ $l := list }}{{ range until 40 }}{{ $l = list $l $l }}{{ end }}\n{{ toJson $l }}",
          "{{ $l := list }}{{ range until 40 }}{{ $l = list $l $l }}{{ end }}\n{{ toYaml $l }}",
          "{{ $l := list }}{{ $m := list }}{{ range until 40 }}{{ $l = list $l $l }}{{ $m = list $m $m }}{{ end }}\n{{ "
          "deepEqual $l $m }}",
          "{{ $s := repeat 1000000 \"a\" }}\n{{ range until 100000 }}{{ $x := sha256sum $s }}{{ end }}",
          "{{ $s := repeat 100000 \"a\" }}\n{{ range until 1000000 }}{{ $x := regexMatch \"a*b\" $s }}{{ end }}",
          "{{ $s := repeat 100000 \"a\" }}\n{{ contains (printf \"%sb\" (repeat 50000 \"a\")) $s }}"}) {
        ChartRendering rendering(options.limits);
        Result<LoadedChart*> loaded =
            load_chart(rendering.arena, rendering.store, memory_reader(with({{"templates/t.yaml", bomb}})));
        REQUIRE(loaded);
        rendering.chart = *loaded;
        render_chart(rendering, make_map(rendering.arena), options);
        REQUIRE_MESSAGE(rendering.failure.has_value(), bomb);
        CHECK(rendering.failure->limit);
        CHECK(rendering.failure->message.find("web/templates/t.yaml:2:") != std::string::npos);
    }
}

TEST_CASE("files of a chart: get, glob, lines, config") {
    const Rendered got = render(
        with({{"conf/a.txt", "one\ntwo\n"},
              {"conf/b.txt", "b"},
              {"templates/t.yaml", "a: {{ .Files.Get \"conf/b.txt\" }}\n{{ (.Files.Glob \"conf/*.txt\").AsConfig "
                                   "}}\nn: {{ .Files.Lines \"conf/a.txt\" | len }}\n"}}));
    CHECK(got.out == "---\n# Source: web/templates/t.yaml\na: b\na.txt: |\n  one\n  two\nb.txt: b\nn: 2\n");
}

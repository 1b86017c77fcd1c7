#include "chart_folder.h"
#include "helm/render.h"
#include "helm/text_builder.h"
#include <doctest/doctest.h>
#include <set>

using namespace lockstep;

namespace {

using Files = std::map<std::string, std::string>;

const Files chart = {
    {"Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2.3\nappVersion: 4.5.6\n"},
    {"values.yaml", "replicas: 2\n"
                    "image:\n"
                    "  repository: registry.example/web\n"
                    "  tag: \"1.0\"\n"
                    "labels:\n"
                    "  team: blue\n"
                    "  tier: front\n"
                    "extra: 'host: {{ .Values.host }}'\n"
                    "host: a.example\n"
                    "debug: false\n"
                    "ports: [80, 443]\n"
                    "note: plain\n"},
    {"templates/_helpers.tpl", "{{- define \"web.name\" -}}\n"
                               "{{ .Release.Name | trunc 20 }}-{{ .Chart.Name }}\n"
                               "{{- end }}\n"
                               "{{- define \"web.labels\" -}}\n"
                               "app: {{ include \"web.name\" . | quote }}\n"
                               "{{ toYaml .Values.labels }}\n"
                               "{{- end }}\n"},
    {"templates/deployment.yaml", "kind: Deployment\n"
                                  "metadata:\n"
                                  "  name: {{ include \"web.name\" . }}\n"
                                  "  labels:\n"
                                  "    {{- include \"web.labels\" . | nindent 4 }}\n"
                                  "spec:\n"
                                  "  replicas: {{ .Values.replicas }}\n"
                                  "  image: {{ printf \"%s:%s\" .Values.image.repository .Values.image.tag | upper }}\n"
                                  "  policy: {{ default \"Always\" .Values.policy }}\n"
                                  "  {{ tpl .Values.extra . }}\n"
                                  "  {{- if .Values.debug }}\n"
                                  "  level: debug\n"
                                  "  {{- else }}\n"
                                  "  level: info\n"
                                  "  {{- end }}\n"
                                  "  ports:\n"
                                  "  {{- range .Values.ports }}\n"
                                  "  - {{ . }}\n"
                                  "  {{- end }}\n"},
};

struct Line {
    std::string text;
    std::set<std::string> places; // `file:line`
    bool unknown = false;
};

// The output's lines with every place that had a part in them.
std::vector<Line> lines_of(const Files& files) {
    ChartRendering rendering;
    Result<LoadedChart*> loaded = load_chart(rendering.arena, rendering.store, memory_reader(files));
    if (!loaded) return {};
    rendering.chart = *loaded;
    render_chart(rendering, make_map(rendering.arena), {});
    std::vector<Line> lines;
    for (const RenderedManifest& manifest : rendering.manifests) {
        const std::string_view text = manifest.text.str();
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            Line line{std::string(text.substr(at, end - at)), {}};
            const ValueOrigin* origin = origin_of_part(rendering.arena, manifest.text, at, end);
            line.unknown = origin != nullptr && origin->unknown;
            for (const Place place : origin_places(origin, 1000)) {
                const auto& source = *rendering.store.sources.texts[place.file];
                const LineTable table(source);
                const auto last =
                    table.position(place.span.end > place.span.begin ? place.span.end - 1 : place.span.begin).line;
                for (auto number = table.position(place.span.begin).line; number <= last; ++number)
                    line.places.insert(rendering.store.sources.paths[place.file] + ":" + std::to_string(number));
            }
            lines.push_back(std::move(line));
            at = end + 1;
        }
    }
    return lines;
}

std::string joined(const std::vector<Line>& lines) {
    std::string out;
    for (const Line& line : lines)
        out += line.text + "\n";
    return out;
}

const Line* find_line(const std::vector<Line>& lines, std::string_view part) {
    for (const Line& line : lines)
        if (line.text.find(part) != std::string::npos) return &line;
    return nullptr;
}

} // namespace

TEST_CASE("a line of the output names the template and the value it came from") {
    const auto lines = lines_of(chart);
    REQUIRE(!lines.empty());
    const Line* replicas = find_line(lines, "replicas: 2");
    REQUIRE(replicas);
    CHECK(replicas->places.count("templates/deployment.yaml:7"));
    CHECK(replicas->places.count("values.yaml:1"));
    const Line* team = find_line(lines, "team: blue");
    REQUIRE(team);
    CHECK(team->places.count("values.yaml:6"));
    CHECK(!team->places.count("values.yaml:7"));
    CHECK(team->places.count("templates/_helpers.tpl:6"));
    CHECK(team->places.count("templates/deployment.yaml:5"));
    const Line* host = find_line(lines, "host: a.example");
    REQUIRE(host);
    CHECK(host->places.count("values.yaml:8"));
    CHECK(host->places.count("values.yaml:9"));
    const Line* image = find_line(lines, "REGISTRY");
    REQUIRE(image);
    CHECK(image->places.count("values.yaml:3"));
    CHECK(image->places.count("values.yaml:4"));
}

TEST_CASE("change any one line of values or templates: every output line that changes names it") {
    const auto before = lines_of(chart);
    const std::string old_text = joined(before);
    const std::vector<std::pair<std::string, std::string>> edits = {
        {"replicas: 2", "replicas: 3"},
        {"registry.example/web", "registry.example/app"},
        {"tag: \"1.0\"", "tag: \"1.1\""},
        {"team: blue", "team: green"},
        {"tier: front", "tier: back"},
        {"host: {{", "name: {{"},
        {"a.example", "b.example"},
        {"debug: false", "debug: true"},
        {"[80, 443]", "[80, 444]"},
        {"trunc 20", "trunc 5"},
        {"app: {{", "application: {{"},
        {"toYaml .Values.labels", "toYaml .Values.image"},
        {"kind: Deployment", "kind: StatefulSet"},
        {"name: {{ include", "nome: {{ include"},
        {"nindent 4", "nindent 6"},
        {"replicas: {{ .Values.replicas }}", "replicas: {{ add .Values.replicas 1 }}"},
        {"%s:%s", "%s@%s"},
        {"\"Always\"", "\"Never\""},
        {"level: info", "level: warn"},
        {"if .Values.debug", "if not .Values.debug"},
        {"  - {{ . }}", "  - p{{ . }}"},
        {"appVersion: 4.5.6", "appVersion: 4.5.7"},
        {"name: web\n", "name: shop\n"},
    };
    for (const auto& edit : edits) {
        const auto &from = edit.first, &to = edit.second; // clang 14 takes no bindings into a lambda
        Files changed = chart;
        std::string place;
        for (auto& [name, text] : changed) {
            const std::size_t at = text.find(from);
            if (at == std::string::npos) continue;
            text.replace(at, from.size(), to);
            place = name + ":" + std::to_string(LineTable(text).position(static_cast<std::uint32_t>(at)).line);
            break;
        }
        REQUIRE(!place.empty());
        const auto after = lines_of(changed);
        std::multiset<std::string> old_lines;
        for (const Line& line : before)
            old_lines.insert(line.text);
        for (const Line& line : after) {
            const auto same = old_lines.find(line.text);
            if (same != old_lines.end()) {
                old_lines.erase(same);
                continue;
            }
            CHECK_MESSAGE(line.places.count(place) == 1,
                          from << " -> " << to << ": `" << line.text << "` does not name " << place);
        }
    }
    CHECK(joined(lines_of(chart)) == old_text);
}

TEST_CASE("stretches of a text do not overlap, also where a later word touches the end of one") {
    ValueArena arena;
    TextBuilder text(arena);
    const ValueOrigin* written = make_origin(arena, {0, {10, 13}}, true);
    const ValueOrigin* nothing = make_origin(arena, {1, {0, 4}});
    text.add("a: ", written);
    text.note_nothing(nothing);
    REQUIRE(text.pieces().size() == 2);
    CHECK(text.pieces()[0].end == 2);
    CHECK(text.pieces()[1].begin == 2);
    const auto places = origin_places(text.pieces()[1].origin, 8);
    REQUIRE(places.size() == 2);
    CHECK(places[0] == Place{0, {12, 13}});
    CHECK(places[1] == Place{1, {0, 4}});
}

TEST_CASE("what the cluster, the clock or chance decides is marked, and so is what depends on it") {
    Files files = {
        {"Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2.3\n"},
        {"templates/a.yaml", "kind: Secret\n"
                             "password: {{ randAlphaNum 8 | b64enc | quote }}\n"
                             "fixed: yes-it-is\n"
                             "{{- $old := lookup \"v1\" \"Secret\" \"ns\" \"web\" }}\n"
                             "{{- if $old }}\n"
                             "kept: true\n"
                             "{{- else }}\n"
                             "made: now\n"
                             "{{- end }}\n"
                             "last: {{ .Release.Name }}\n"},
    };
    const auto lines = lines_of(files);
    REQUIRE(lines.size() == 5);
    CHECK(!lines[0].unknown);
    CHECK(lines[1].unknown);
    CHECK(!lines[2].unknown);
    CHECK(lines[3].text == "made: now");
    CHECK(lines[3].unknown);
    CHECK(!lines[4].unknown);
}

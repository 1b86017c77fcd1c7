// Any bytes as a chart: templates, helpers, values, a chart inside, files, a schema, and the values of a release.
// Loading, rendering and printing end, within limits, and leave nothing behind.
#include "expect.h"
#include "helm/line_places.h"
#include "helm/render.h"
#include "helm/yaml_read.h"
#include <map>

using namespace lockstep;

namespace {

// A line `---` begins the values of the chart, `---X` what X stands for; before the first is a template.
std::string_view file_for(char mark) {
    switch (mark) {
    case 'b':
        return "templates/b.yaml";
    case 'h':
        return "templates/_helpers.tpl";
    case 'n':
        return "templates/NOTES.txt";
    case 'd':
        return "Chart.yaml"; // what follows its first lines: dependencies and the like
    case 'f':
        return "files/data.txt";
    case 'j':
        return "values.schema.json";
    case 'i':
        return ".helmignore";
    case 's':
        return "charts/s/values.yaml";
    case 't':
        return "charts/s/templates/t.yaml";
    case 'c':
        return "crds/c.yaml";
    case 'r':
        return "release";
    default:
        return "values.yaml";
    }
}

std::map<std::string, std::string, std::less<>> files_of(const std::string& text) {
    std::map<std::string, std::string, std::less<>> files = {
        {"Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\n"}, {"values.yaml", {}}, {"release", {}}};
    std::string name = "templates/a.yaml";
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t next = text.find("\n---", at);
        const std::size_t line = next == std::string::npos ? next : text.find('\n', next + 1);
        const bool marks = line != std::string::npos && line - next <= 5;
        const std::size_t end = marks ? next : text.size(); // what else begins so belongs to the file
        files[name] += text.substr(at, end - at);
        if (!marks) break;
        name = file_for(line - next == 5 ? text[line - 1] : 'v');
        at = line + 1;
    }
    if (files.count("charts/s/templates/t.yaml") || files.count("charts/s/values.yaml"))
        files["charts/s/Chart.yaml"] = "apiVersion: v2\nname: s\nversion: 2.0.0\n";
    return files;
}

ChartReader reader_of(const std::map<std::string, std::string, std::less<>>& files) {
    ChartReader reader;
    reader.list = [&files] {
        std::vector<std::string> names;
        for (const auto& [name, text] : files)
            if (name != "release") names.push_back(name);
        return names;
    };
    reader.read = [&files](const std::string& name) -> std::optional<std::string> {
        const auto file = files.find(name);
        return file == files.end() ? std::nullopt : std::optional(file->second);
    };
    return reader;
}

void expect_places(const ChartRendering& rendering) {
    for (const RenderedManifest& manifest : rendering.manifests) {
        const std::string_view bytes = manifest.text.str();
        std::uint32_t last = 0;
        for (const TextPiece& piece : manifest.text.text->pieces) { // in order, within the text
            EXPECT(piece.begin >= last && piece.begin <= piece.end && piece.end <= bytes.size());
            last = piece.end;
            for (const Place place : origin_places(piece.origin, 8))
                EXPECT(place.file < rendering.store.sources.paths.size() &&
                       place.span.end <= rendering.store.sources.texts[place.file]->size());
        }
    }
    for (const Place place : rendering.undecided)
        EXPECT(place.file == no_file || place.file < rendering.store.sources.paths.size());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto files = files_of(text);
    const ChartReader reader = reader_of(files);
    // As `lockstep build` does it with Helm 3, and as rules do with either.
    for (const bool strict : {true, false}) {
        ChartRendering rendering;
        Result<LoadedChart*> chart = load_chart(rendering.arena, rendering.store, reader);
        if (!chart) return 0;
        rendering.chart = *chart;
        GoValue values = make_map(rendering.arena);
        const std::string& release = files.at("release");
        if (YamlRead read = read_yaml(rendering.arena, release, no_file); read.error.empty() && read.value.is_map())
            values = merge_maps(rendering.arena, values, read.value);
        RenderOptions options;
        options.limits.steps = 20000;
        options.limits.output = std::size_t{1} << 20;
        options.include_crds = !strict;
        options.missing_dependency_is_gap = options.keep_going = options.open_api_versions = !strict;
        if (!strict && size % 2 == 1) options.helm = newest_helm4;
        render_chart(rendering, deep_copy(rendering.arena, values), options);
        expect_places(rendering);
        if (rendering.failure) EXPECT(!rendering.failure->message.empty());
        const std::string printed = template_output(rendering);
        EXPECT(printed.size() <= (std::size_t{8} << 20));
        if (strict) continue;
        LinePlacer placer(rendering);
        for (const RenderedManifest& manifest : rendering.manifests)
            for (const PlacedLine& line : placer.lines(manifest))
                for (const SourceLines place : line.places)
                    EXPECT(place.file < rendering.store.sources.paths.size() && place.first <= place.last);
    }
    return 0;
}

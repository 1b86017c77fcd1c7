// Any bytes as a template and as values: parsing, running and printing end, within limits, and leave nothing behind.
#include "expect.h"
#include "helm/render.h"
#include "helm/yaml_read.h"

using namespace lockstep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const std::size_t cut = text.find("\n---\n"); // template, then values
    const std::string values = cut == std::string::npos ? "" : text.substr(cut + 5);
    ChartRendering rendering;
    ChartReader reader;
    reader.list = [] { return std::vector<std::string>{"Chart.yaml", "values.yaml", "templates/a.yaml"}; };
    reader.read = [&](const std::string& name) -> std::optional<std::string> {
        if (name == "Chart.yaml") return "apiVersion: v2\nname: c\nversion: 1.0.0\n";
        return name == "values.yaml" ? values : text.substr(0, cut);
    };
    Result<LoadedChart*> chart = load_chart(rendering.arena, rendering.store, reader);
    if (!chart) return 0;
    rendering.chart = *chart;
    RenderOptions options;
    options.limits.steps = 20000;
    options.limits.output = std::size_t{1} << 20;
    render_chart(rendering, make_map(rendering.arena), options);
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
    return 0;
}

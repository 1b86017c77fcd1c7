// Walks the origins of each line and counts lines.
#include "helm/line_places.h"
#include <algorithm>

namespace lockstep {
namespace {

// A checksum over a whole template has too many places to read: neighbours become one range, where the first of them
// is.
void merge_neighbours(std::vector<SourceLines>& places) {
    bool merged = true;
    while (merged) {
        merged = false;
        for (std::size_t i = 0; i < places.size(); ++i)
            for (std::size_t j = places.size() - 1; j > i; --j) {
                SourceLines& a = places[i];
                const SourceLines b = places[j];
                if (a.file != b.file || b.first > a.last + 1 || a.first > b.last + 1) continue;
                a.first = std::min(a.first, b.first);
                a.last = std::max(a.last, b.last);
                places.erase(places.begin() + static_cast<std::ptrdiff_t>(j));
                merged = true;
            }
    }
}

} // namespace

SourceLines LinePlacer::counted(Place place) {
    auto found = tables_.find(place.file);
    if (found == tables_.end())
        found = tables_.emplace(place.file, LineTable(*rendering_.store.sources.texts[place.file])).first;
    const Span span = place.span;
    const std::uint32_t last = span.end > span.begin ? span.end - 1 : span.begin;
    return {place.file, found->second.position(span.begin).line, found->second.position(last).line};
}

std::string LinePlacer::name(SourceLines place) const {
    std::string name = rendering_.store.sources.paths[place.file] + ":" + std::to_string(place.first);
    return place.last > place.first ? name + "-" + std::to_string(place.last) : name;
}

std::vector<PlacedLine> LinePlacer::lines(const RenderedManifest& manifest) {
    constexpr std::size_t most = 256;
    std::vector<PlacedLine> lines;
    const std::string_view text = manifest.text.str();
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        PlacedLine line{text.substr(at, end - at)};
        const ValueOrigin* origin = at == end ? nullptr : origin_of_part(rendering_.arena, manifest.text, at, end);
        line.unknown = origin != nullptr && origin->unknown;
        std::vector<SourceLines> others;
        for (const Place place : origin_places(origin, most)) {
            const bool in_template = rendering_.store.sources.paths[place.file].find("templates/") != std::string::npos;
            auto& list = in_template ? line.places : others;
            const SourceLines found = counted(place);
            if (std::find(list.begin(), list.end(), found) == list.end()) list.push_back(found);
        }
        line.places.insert(line.places.begin() + (line.places.empty() ? 0 : 1), others.begin(), others.end());
        if (line.places.size() > most_shown) merge_neighbours(line.places);
        lines.push_back(std::move(line));
        at = end + 1;
    }
    return lines;
}

} // namespace lockstep

// Where each line of a rendered document comes from, as people read it: files and lines.
#pragma once
#include "helm/render.h"
#include <map>

namespace lockstep {

struct SourceLines { // 1-based, both ends included
    FileId file = no_file;
    std::uint32_t first = 1, last = 1;
    friend bool operator==(const SourceLines&, const SourceLines&) = default;
};

struct PlacedLine {
    std::string_view text;
    // The template's line that wrote it, then the values that it printed or that decided about it, then the other
    // templates and conditions on the way.
    std::vector<SourceLines> places = {};
    bool unknown = false;
};

class LinePlacer {
public:
    explicit LinePlacer(ChartRendering& rendering) : rendering_(rendering) {}
    static constexpr std::size_t most_shown = 16; // of one line
    std::vector<PlacedLine> lines(const RenderedManifest& manifest);
    std::string name(SourceLines place) const; // `values.yaml:3`, `values.yaml:3-5`

private:
    SourceLines counted(Place place);
    ChartRendering& rendering_;
    std::map<FileId, LineTable> tables_;
};

} // namespace lockstep

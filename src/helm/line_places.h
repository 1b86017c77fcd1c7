// Where each line of a rendered document comes from, as people read it: files and lines.
#pragma once
#include "helm/render.h"
#include <map>
#include <tuple>
#include <unordered_map>

namespace lockstep {

struct SourceLines { // 1-based, both ends included
    FileId file = no_file;
    std::uint32_t first = 1, last = 1;
    friend bool operator==(const SourceLines&, const SourceLines&) = default;
};

struct PlacedLine {
    std::string_view text;
    // The template's line that wrote it, then the values that it printed or that decided about it, then the other
    // templates and conditions on the way. Where these are very many, lines between them are named, too; none is left
    // out.
    std::vector<SourceLines> places = {};
    bool unknown = false;
};

class LinePlacer {
public:
    explicit LinePlacer(ChartRendering& rendering) : rendering_(rendering) {}
    std::vector<PlacedLine> lines(const RenderedManifest& manifest);
    std::string name(SourceLines place) const; // `values.yaml:3`, `values.yaml:3-5`

private:
    static constexpr std::uint32_t none = 0xffffffff;
    struct Node {                  // an origin
        const ValueOrigin* origin; // while nobody has looked at it
        std::uint32_t left = none, right = none;
        std::uint32_t lines = none; // of `ranges_`
        std::uint32_t seen = 0;     // the turn in which it was met
    };
    struct Range {
        SourceLines lines;
        bool in_template = false;
        std::uint32_t seen = 0;
    };
    SourceLines counted(Place place);
    std::uint32_t number(const ValueOrigin* origin);
    std::uint32_t lines_of(Place place);
    void resolve(std::uint32_t number_of_node);
    void find(const ValueOrigin* origin, std::vector<SourceLines>& in_templates, std::vector<SourceLines>& others);
    ChartRendering& rendering_;
    std::map<FileId, LineTable> tables_;
    std::unordered_map<const ValueOrigin*, std::uint32_t> numbers_;
    std::vector<Node> nodes_;
    std::map<std::tuple<FileId, std::uint32_t, std::uint32_t>, std::uint32_t> range_numbers_;
    std::vector<Range> ranges_;
    std::vector<std::uint32_t> waiting_;
    std::uint32_t turn_ = 0; // one for each line
};

} // namespace lockstep

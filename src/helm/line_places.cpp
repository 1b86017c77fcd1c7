// Walks the origins of each line and counts lines.
#include "helm/line_places.h"
#include <algorithm>
#include <tuple>

namespace lockstep {
namespace {

constexpr std::size_t few = 16;              // more are folded into ranges
constexpr std::size_t most_walked = 200'000; // origins of one line; what has more names its files whole

struct Ordered {
    SourceLines lines;
    std::size_t at = 0; // among the places, nearest first
};

// Sorted by file and line, those that overlap or touch as one.
std::vector<Ordered> in_order(const std::vector<SourceLines>& places) {
    std::vector<Ordered> all;
    for (std::size_t i = 0; i < places.size(); ++i)
        all.push_back({places[i], i});
    std::sort(all.begin(), all.end(), [](const Ordered& a, const Ordered& b) {
        return std::tie(a.lines.file, a.lines.first, a.at) < std::tie(b.lines.file, b.lines.first, b.at);
    });
    std::vector<Ordered> merged;
    for (const Ordered& one : all) {
        Ordered* last = merged.empty() ? nullptr : &merged.back();
        if (last == nullptr || last->lines.file != one.lines.file || one.lines.first > last->lines.last + 1) {
            merged.push_back(one);
            continue;
        }
        last->lines.last = std::max(last->lines.last, one.lines.last);
        last->at = std::min(last->at, one.at);
    }
    return merged;
}

// Too many to read: the nearest two of one file become one range, lines between them included, until few are left or
// one of each file. No line is lost. The first place, which wrote the line, stays by itself.
std::vector<SourceLines> folded(const std::vector<SourceLines>& places) {
    std::vector<Ordered> all = in_order(places);
    std::vector<std::pair<std::uint32_t, std::size_t>> gaps; // and the range behind each
    for (std::size_t i = 1; i < all.size(); ++i)
        if (all[i].lines.file == all[i - 1].lines.file && all[i].at != 0 && all[i - 1].at != 0)
            gaps.emplace_back(all[i].lines.first - all[i - 1].lines.last, i);
    std::sort(gaps.begin(), gaps.end());
    gaps.resize(std::min(gaps.size(), all.size() > few ? all.size() - few : 0));
    std::vector<bool> closed(all.size(), false);
    for (const auto& [width, behind] : gaps)
        closed[behind] = true;
    std::vector<Ordered> left;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!closed[i]) {
            left.push_back(all[i]);
            continue;
        }
        left.back().lines.last = all[i].lines.last;
        left.back().at = std::min(left.back().at, all[i].at);
    }
    std::sort(left.begin(), left.end(), [](const Ordered& a, const Ordered& b) { return a.at < b.at; });
    std::vector<SourceLines> made;
    for (const Ordered& one : left)
        made.push_back(one.lines);
    return made;
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

std::uint32_t LinePlacer::number(const ValueOrigin* origin) {
    if (origin == nullptr) return none;
    const auto [known, fresh] = numbers_.try_emplace(origin, static_cast<std::uint32_t>(nodes_.size()));
    if (fresh) nodes_.push_back({origin});
    return known->second;
}

std::uint32_t LinePlacer::lines_of(Place place) {
    const SourceLines found = counted(place);
    const auto [known, fresh] =
        range_numbers_.try_emplace({found.file, found.first, found.last}, static_cast<std::uint32_t>(ranges_.size()));
    if (fresh) {
        const std::string& path = rendering_.store.sources.paths[place.file];
        ranges_.push_back({found, path.find("templates/") != std::string::npos});
    }
    return known->second;
}

// Whoever looks at it first says where it leads; it is looked at for many lines.
void LinePlacer::resolve(std::uint32_t number_of_node) {
    const ValueOrigin* origin = nodes_[number_of_node].origin;
    if (origin == nullptr) return;
    const std::uint32_t left = number(origin->left), right = number(origin->right);
    Node& node = nodes_[number_of_node]; // which may have moved
    node.left = left;
    node.right = right;
    if (origin->at.file != no_file) node.lines = lines_of(origin->at);
    node.origin = nullptr;
}

// All places of an origin, nearest first. Lines share most of what they hang on, but no two have the same.
void LinePlacer::find(const ValueOrigin* origin, std::vector<SourceLines>& in_templates,
                      std::vector<SourceLines>& others) {
    ++turn_;
    waiting_.clear();
    const auto wait_for = [&](std::uint32_t next) {
        if (next == none || nodes_[next].seen == turn_) return;
        nodes_[next].seen = turn_;
        waiting_.push_back(next);
    };
    const auto add = [&](std::uint32_t lines) {
        if (lines == none || ranges_[lines].seen == turn_) return;
        ranges_[lines].seen = turn_;
        (ranges_[lines].in_template ? in_templates : others).push_back(ranges_[lines].lines);
    };
    wait_for(number(origin));
    for (std::size_t next = 0; next < waiting_.size() && next < most_walked; ++next) {
        resolve(waiting_[next]);
        const Node here = nodes_[waiting_[next]];
        add(here.lines);
        wait_for(here.left);
        wait_for(here.right);
    }
    if (waiting_.size() <= most_walked) return;
    for (FileId file = 0; file < rendering_.store.sources.texts.size(); ++file)
        if (const auto& text = rendering_.store.sources.texts[file])
            add(lines_of({file, {0, static_cast<std::uint32_t>(text->size())}}));
}

std::vector<PlacedLine> LinePlacer::lines(const RenderedManifest& manifest) {
    std::vector<PlacedLine> lines;
    const std::string_view text = manifest.text.str();
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        PlacedLine line{text.substr(at, end - at)};
        const ValueOrigin* origin = at == end ? nullptr : origin_of_part(rendering_.arena, manifest.text, at, end);
        line.unknown = origin != nullptr && origin->unknown;
        std::vector<SourceLines> others;
        find(origin, line.places, others);
        line.places.insert(line.places.begin() + (line.places.empty() ? 0 : 1), others.begin(), others.end());
        if (line.places.size() > few) line.places = folded(line.places);
        lines.push_back(std::move(line));
        at = end + 1;
    }
    return lines;
}

} // namespace lockstep

// Findings as a person reads them in a terminal; head lines stay plain enough for problem matchers.
#include "base/printable.h"
#include "report/applied_by.h"
#include "report/report.h"
#include "report/snippet.h"
#include "report/summary.h"
#include <algorithm>

namespace lockstep {
namespace {

// One stale pin may be in 800 files: the first ones are shown, the machine formats have them all.
constexpr std::size_t most_shown = 5;

struct Palette {
    std::string_view bold, dim, red, yellow, cyan, blue, plain_color, reset;
};

Palette choose_palette(bool color) {
    if (!color) return {};
    return {"\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[33m", "\x1b[36m", "\x1b[34m", "\x1b[39m", "\x1b[0m"};
}

std::string_view color_of(Severity severity, const Palette& palette) {
    switch (severity) {
    case Severity::error:
        return palette.red;
    case Severity::warning:
        return palette.yellow;
    case Severity::note:
    case Severity::off:
        break;
    }
    return palette.cyan;
}

// `path:line:col: `. A finding about no file in particular is about the whole run.
void append_location(std::string& out, const Location& location) {
    if (location.path.empty()) {
        out += "lockstep: ";
        return;
    }
    append_path(out, location.path);
    out += ':';
    out += std::to_string(location.begin.line);
    out += ':';
    out += std::to_string(location.begin.column);
    out += ": ";
}

void append_source(std::string& out, const Place& place, const Location& location, Locator& locator,
                   const SnippetStyle& style) {
    const std::string_view line = locator.line(place.file, location.begin.line);
    if (line.empty()) return; // an empty line, or a file without text: nothing to show
    // Lines are views into one text: the distance from the first is the line's offset, whatever columns count.
    const auto line_start = static_cast<std::size_t>(line.data() - locator.line(place.file, 1).data());
    const auto in_line = [line_start](std::uint32_t offset) { return offset < line_start ? 0 : offset - line_start; };
    Snippet snippet{location.begin.line, line, in_line(place.span.begin), in_line(place.span.end)};
    if (location.end.line != location.begin.line) {
        const std::size_t last = line.find_last_not_of(" \t");
        snippet.end = last == std::string_view::npos ? line.size() : last + 1;
    }
    append_snippet(out, snippet, style);
}

void append_finding(std::string& out, const Finding& finding, Locator& locator, const Palette& palette) {
    const std::string_view color = color_of(finding.severity, palette);
    const Location location = locator.locate(finding.place);
    out += palette.bold;
    append_location(out, location);
    out += color;
    out += to_string(finding.severity);
    out += palette.plain_color;
    out += ": ";
    append_printable(out, finding.message);
    out += " [";
    append_printable(out, finding.rule);
    out += ']';
    out += palette.reset;
    out += '\n';
    append_source(out, finding.place, location, locator, {"", '^', palette.dim, color, palette.reset});

    const std::size_t shown = std::min(finding.related.size(), most_shown);
    for (std::size_t i = 0; i < shown; ++i) {
        const Related& related = finding.related[i];
        const Location there = locator.locate(related.place);
        out += "  ";
        append_location(out, there);
        if (related.message.empty())
            out += "also here";
        else
            append_printable(out, related.message);
        out += '\n';
        append_source(out, related.place, there, locator, {"  ", '-', palette.dim, palette.blue, palette.reset});
    }
    if (shown < finding.related.size()) out += "  and " + std::to_string(finding.related.size() - shown) + " more\n";
    if (const std::string chain = applied_by_line(finding, locator); !chain.empty())
        out.append("  ").append(palette.dim).append(chain).append(palette.reset).append("\n");
}

} // namespace

Written write_text(const Report& report) {
    const TextOptions& options = report.text;
    const Palette palette = choose_palette(options.color);
    std::string out;
    for (const Finding& finding : report.findings) {
        if (finding.severity == Severity::note && !options.notes) continue;
        append_finding(out, finding, report.locator, palette);
        out += '\n';
    }
    const RunStats& stats = report.stats;
    if (stats.change) append_added_suppressions(out, *stats.change, report.locator);
    append_summary(out, report.findings, stats, options);
    if (stats.change) append_comparison(out, *stats.change);
    if (options.stats) append_stats(out, stats);
    return {std::move(out)};
}

} // namespace lockstep

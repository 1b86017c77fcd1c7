// From a line and a span in it to the two lines a reader sees: the source, and the mark under the right columns.
#include "report/snippet.h"
#include "base/printable.h"
#include <algorithm>

namespace lockstep {
namespace {

constexpr std::size_t widest = 160;
constexpr std::size_t context = 60; // columns shown before the span when the line is cut on the left
constexpr std::string_view cut = "…";

// A line of combining marks has no columns and may have megabytes: so many bytes are the limit too.
constexpr std::size_t byte_limit(std::size_t columns) {
    return 4 * columns;
}

// The first byte from `from` on that does not fit.
std::size_t fit(std::string_view line, std::size_t from, std::size_t columns) {
    const std::size_t last = from + byte_limit(columns);
    std::size_t at = from, used = 0;
    while (at < line.size()) {
        const Glyph glyph = read_glyph(line, at);
        used += glyph.columns;
        if (used > columns || at + glyph.bytes.size() > last) break;
        at += glyph.bytes.size();
    }
    return at;
}

// Where the glyph that ends at or covers the byte before `at` begins.
std::size_t previous(std::string_view line, std::size_t at) {
    const std::size_t first = at - std::min<std::size_t>(at, 4);
    for (std::size_t start = at - 1;; --start) {
        const bool continues = (static_cast<unsigned char>(line[start]) & 0xc0U) == 0x80;
        if (!continues) return start + read_glyph(line, start).bytes.size() >= at ? start : at - 1;
        if (start == first) return at - 1;
    }
}

std::size_t step_back(std::string_view line, std::size_t from, std::size_t columns) {
    const std::size_t first = from - std::min(from, byte_limit(columns));
    std::size_t at = from, used = 0;
    while (at > first) {
        const std::size_t start = previous(line, at);
        used += read_glyph(line, start).columns;
        if (used > columns || start < first) break;
        at = start;
    }
    return at;
}

struct Window {
    std::size_t begin, end;
};

Window choose_window(std::string_view line, std::size_t begin, std::size_t end) {
    if (fit(line, 0, widest) == line.size()) return {0, line.size()};
    const std::size_t head = fit(line, 0, widest - 1);
    if (end <= head) return {0, head};
    const std::size_t start = step_back(line, begin, context);
    const std::size_t room = widest - (start > 0 ? 1 : 0);
    const std::size_t stop = fit(line, start, room);
    return {start, stop == line.size() ? stop : fit(line, start, room - 1)};
}

void append_gutter(std::string& out, std::string_view number, std::size_t width, const SnippetStyle& style) {
    out += style.indent;
    out += style.dim;
    out.append(width - number.size(), ' ');
    out += number;
    out += " |";
    out += style.reset;
    out += ' ';
}

} // namespace

void append_snippet(std::string& out, const Snippet& snippet, const SnippetStyle& style) {
    const std::string_view line = snippet.line;
    const std::size_t begin = std::min(snippet.begin, line.size());
    const std::size_t end = std::clamp(snippet.end, begin, line.size());
    const Window window = choose_window(line, begin, end);
    const std::string number = std::to_string(snippet.number);
    const std::size_t width = std::max<std::size_t>(number.size(), 5);

    std::string padding, marks;
    append_gutter(out, number, width, style);
    if (window.begin > 0) {
        out += cut;
        padding += ' ';
    }
    for (std::size_t at = window.begin; at < window.end;) {
        const Glyph glyph = read_glyph(line, at);
        const std::size_t next = at + glyph.bytes.size();
        const bool before = next <= begin;
        append_glyph(out, glyph);
        if (!before && marks.empty()) {
            // Even an empty span, a tab or a combining mark is seen.
            marks.append(glyph.code == '\t' ? 1 : std::max<std::size_t>(glyph.columns, 1), style.mark);
            if (glyph.code == '\t' && next < end) marks += '\t';
        } else if (before || at < end) {
            // A tab is copied, so that both lines stay in step whatever the tab stops are.
            std::string& target = before ? padding : marks;
            if (glyph.code == '\t')
                target += '\t';
            else
                target.append(glyph.columns, before ? ' ' : style.mark);
        }
        at = next;
    }
    if (window.end < line.size()) out += cut;
    out += '\n';

    if (marks.empty()) marks += style.mark; // the span is at the line's end
    append_gutter(out, "", width, style);
    out += padding;
    out += style.mark_color;
    out += marks;
    out += style.reset;
    out += '\n';
}

} // namespace lockstep

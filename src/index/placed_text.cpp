// Undoes indentation, folding, quotes and escapes of YAML scalars byte by byte, so that every byte keeps its place.
#include "index/placed_text.h"
#include "base/text.h"
#include <algorithm>

namespace lockstep {

void PlacedText::append(char c, std::uint32_t file) {
    const auto here = static_cast<std::uint32_t>(text.size());
    if (pieces.empty() || pieces.back().file + (here - pieces.back().text) != file) pieces.push_back({here, file});
    text.push_back(c);
}

void PlacedText::append(const PlacedText& from, std::size_t begin, std::size_t end) {
    if (begin >= end) return;
    append(from.text[begin], from.at(begin));
    const auto shift = static_cast<std::uint32_t>(text.size() - 1);
    const auto after = [](std::size_t value, const Piece& piece) { return value < piece.text; };
    for (auto piece = std::upper_bound(from.pieces.begin(), from.pieces.end(), begin, after);
         piece != from.pieces.end() && piece->text < end; ++piece)
        pieces.push_back({piece->text - static_cast<std::uint32_t>(begin) + shift, piece->file});
    text.append(from.text, begin + 1, end - begin - 1);
}

std::uint32_t PlacedText::at(std::size_t offset) const {
    if (pieces.empty()) return 0;
    const auto wanted = static_cast<std::uint32_t>(offset);
    const auto behind = std::upper_bound(pieces.begin(), pieces.end(), wanted,
                                         [](std::uint32_t value, const Piece& piece) { return value < piece.text; });
    const Piece& piece = behind == pieces.begin() ? *behind : *(behind - 1);
    return piece.file + (wanted - piece.text);
}

Span PlacedText::span(std::size_t begin, std::size_t end) const {
    if (begin >= end) return {at(begin), at(begin)};
    return {at(begin), at(end - 1) + 1};
}

namespace {

std::uint32_t offset32(std::size_t value) {
    return static_cast<std::uint32_t>(value);
}

struct Line {
    std::size_t begin, end; // without its line break
    bool broken;            // a line break follows
};

Line line_at(std::string_view text, std::size_t begin, std::size_t limit) {
    std::size_t end = text.substr(0, limit).find('\n', begin);
    const bool broken = end != std::string_view::npos;
    if (!broken) end = limit;
    const std::size_t cut = end > begin && text[end - 1] == '\r' ? end - 1 : end;
    return {begin, cut, broken};
}

std::size_t next_line(const Line& line, std::string_view text) {
    std::size_t next = line.end;
    if (next < text.size() && text[next] == '\r') ++next;
    return line.broken ? next + 1 : next;
}

void append_line(PlacedText& out, std::string_view text, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
        out.append(text[i], offset32(i));
}

std::size_t leading_blanks(std::string_view text, const Line& line) {
    std::size_t i = line.begin;
    while (i < line.end && text[i] == ' ')
        ++i;
    return i - line.begin;
}

bool is_template_line(std::string_view rest) {
    return rest.starts_with("%{") || rest.starts_with("{{");
}

// Indentation of a block scalar's content. An explicit indicator counts from the parent, which is not at hand: the
// decoded value tells how many of the first line's blanks are content.
std::size_t block_indent(NodeRef scalar, std::string_view text, std::size_t content, std::size_t limit,
                         bool indicator) {
    for (std::size_t i = content; i < limit;) {
        const Line line = line_at(text, i, limit);
        const std::size_t blanks = leading_blanks(text, line);
        const std::string_view rest = text.substr(line.begin + blanks, line.end - line.begin - blanks);
        const bool directive = blanks == 0 && is_template_line(rest);
        if (!rest.empty() && !directive) {
            if (!indicator) return blanks;
            std::string_view value = scalar.text();
            value.remove_prefix(std::min(value.find_first_not_of('\n'), value.size()));
            const std::size_t inner = std::min(value.find_first_not_of(' '), value.size());
            return blanks > inner ? blanks - inner : 0;
        }
        i = next_line(line, text);
        if (!line.broken) break;
    }
    return 0;
}

PlacedText placed_lines(std::string_view text, Span slice, std::size_t indent, bool folded) {
    PlacedText out;
    std::vector<std::size_t> breaks; // line breaks since the last line with content
    bool previous_deeper = false;
    bool line_start = slice.begin == 0 || text[slice.begin - 1] == '\n';
    for (std::size_t i = slice.begin; i < slice.end; line_start = true) {
        const Line line = line_at(text, i, slice.end);
        const std::size_t blanks = line_start ? leading_blanks(text, line) : 0;
        const bool empty = line.begin + blanks == line.end;
        i = next_line(line, text);
        if (line_start && !empty && blanks < indent && is_template_line(text.substr(line.begin + blanks))) continue;
        if (!empty) {
            const std::size_t begin = line.begin + std::min(blanks, indent);
            const bool deeper = is_blank(text[begin]);
            const bool joined = folded && !out.text.empty() && !deeper && !previous_deeper && !breaks.empty();
            if (joined && breaks.size() == 1)
                out.append(' ', offset32(breaks[0]));
            else
                for (std::size_t k = joined ? 1 : 0; k < breaks.size(); ++k)
                    out.append('\n', offset32(breaks[k]));
            breaks.clear();
            previous_deeper = deeper;
            append_line(out, text, begin, line.end);
        }
        if (!line.broken) break;
        breaks.push_back(i - 1);
    }
    for (const std::size_t at : breaks)
        out.append('\n', offset32(at));
    return out;
}

void append_code_point(PlacedText& out, std::uint32_t code, std::uint32_t file) {
    const auto put = [&](std::uint32_t byte) { out.append(static_cast<char>(byte), file); };
    if (code < 0x80) return put(code);
    if (code < 0x800)
        put(0xc0U | (code >> 6U));
    else if (code < 0x10000)
        put(0xe0U | (code >> 12U)), put(0x80U | ((code >> 6U) & 0x3fU));
    else
        put(0xf0U | ((code >> 18U) & 7U)), put(0x80U | ((code >> 12U) & 0x3fU)), put(0x80U | ((code >> 6U) & 0x3fU));
    put(0x80U | (code & 0x3fU));
}

// One escape of a double-quoted scalar; returns the first byte behind it.
std::size_t append_escape(PlacedText& out, std::string_view text, std::size_t i, std::size_t limit) {
    const char c = i + 1 < limit ? text[i + 1] : '\\';
    const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits > 0) {
        std::uint32_t code = 0;
        std::size_t k = i + 2;
        for (; k < limit && k < i + 2 + digits; ++k) {
            const char h = text[k];
            const int value = h >= '0' && h <= '9'   ? h - '0'
                              : h >= 'a' && h <= 'f' ? h - 'a' + 10
                              : h >= 'A' && h <= 'F' ? h - 'A' + 10
                                                     : 0;
            code = code * 16 + static_cast<std::uint32_t>(value);
        }
        append_code_point(out, code, offset32(i));
        return k;
    }
    if (c == '\n' || c == '\r') { // an escaped line break is nothing at all
        i += c == '\r' ? 3 : 2;
        while (i < limit && is_blank(text[i]))
            ++i;
        return i;
    }
    out.append(c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == '0' ? '\0' : c, offset32(i));
    return std::min(i + 2, limit);
}

PlacedText placed_flow(std::string_view text, std::size_t i, std::size_t limit, NodeStyle style) {
    PlacedText out;
    while (i < limit) {
        if (is_blank(text[i]) || text[i] == '\n' || text[i] == '\r') {
            std::size_t end = i, breaks = 0;
            for (; end < limit && (is_blank(text[end]) || text[end] == '\n' || text[end] == '\r'); ++end)
                breaks += text[end] == '\n' ? 1 : 0;
            if (breaks == 0)
                append_line(out, text, i, end);
            else if (breaks == 1)
                out.append(' ', offset32(i));
            for (; breaks > 1; --breaks)
                out.append('\n', offset32(i));
            i = end;
        } else if (style == NodeStyle::double_quoted && text[i] == '\\') {
            i = append_escape(out, text, i, limit);
        } else {
            out.append(text[i], offset32(i));
            i += style == NodeStyle::single_quoted && text.substr(i, 2) == "''" ? 2 : 1;
        }
    }
    return out;
}

} // namespace

PlacedText placed_slice(std::string_view file_text, Span slice, std::uint32_t indent, NodeStyle style) {
    slice.end = std::min(slice.end, offset32(file_text.size()));
    slice.begin = std::min(slice.begin, slice.end);
    if (style == NodeStyle::literal || style == NodeStyle::folded)
        return placed_lines(file_text, slice, indent, style == NodeStyle::folded);
    return placed_flow(file_text, slice.begin, slice.end, style);
}

PlacedText placed_scalar(NodeRef scalar) {
    scalar = scalar.resolved();
    if (!scalar.is_scalar()) return {};
    const std::string_view text = scalar.yaml().text;
    Span slice = scalar.span();
    while (slice.begin < slice.end && (text[slice.begin] == '!' || text[slice.begin] == '&')) { // a tag or an anchor
        while (slice.begin < slice.end && !is_blank(text[slice.begin]) && text[slice.begin] != '\n')
            ++slice.begin;
        while (slice.begin < slice.end && std::string_view(" \t\r\n").find(text[slice.begin]) < 4)
            ++slice.begin;
    }
    const NodeStyle style = scalar.node().style;
    std::size_t indent = 0;
    if (style == NodeStyle::literal || style == NodeStyle::folded) {
        const Line header = line_at(text, slice.begin, slice.end);
        if (!header.broken) return {};
        const bool indicator = text.substr(header.begin, header.end - header.begin).find_first_of("123456789") < 3;
        slice.begin = offset32(next_line(header, text));
        indent = block_indent(scalar, text, slice.begin, slice.end, indicator);
    } else if (scalar.is_quoted() && slice.end - slice.begin >= 2) {
        ++slice.begin, --slice.end;
    }
    return placed_slice(text, slice, offset32(indent), style);
}

} // namespace lockstep

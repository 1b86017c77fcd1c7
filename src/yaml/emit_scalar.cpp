// Scalars as libyaml's emitter and its copy in go-yaml 2 write them.
#include "yaml/emit_scalar.h"
#include "yaml/scalar_type.h"

namespace lockstep {
namespace {

constexpr std::size_t best_width = 80;

struct ScalarCharacter {
    std::uint32_t code = 0;
    std::size_t size = 1;
};

ScalarCharacter character_at(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const unsigned first = byte(0);
    const std::size_t size = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (size == 1 || at + size > text.size()) return {first, 1};
    std::uint32_t code = first & (0xFFU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i)
        code = (code << 6U) | (byte(i) & 0x3FU);
    return {code, size};
}

bool is_break(std::uint32_t c) {
    return c == '\r' || c == '\n' || c == 0x85 || c == 0x2028 || c == 0x2029;
}

bool is_printable(std::uint32_t c) {
    return c == '\n' || (c >= 0x20 && c <= 0x7E) || (c >= 0xA0 && c <= 0xD7FF) ||
           (c >= 0xE000 && c <= 0xFFFD && c != 0xFEFF);
}

bool blank_or_end(std::string_view text, std::size_t at) {
    if (at >= text.size()) return true;
    const std::uint32_t c = character_at(text, at).code;
    return c == ' ' || c == '\t' || is_break(c);
}

struct Allowed {
    bool plain = true, single_quoted = true, block = true;
};

bool is_start_indicator(char c) {
    return std::string_view("#,[]{}&*!|>'\"%@`").find(c) != std::string_view::npos;
}

Allowed analyze(std::string_view text) {
    Allowed allowed;
    if (text.empty()) return {true, true, false};
    bool indicators = text.starts_with("---") || text.starts_with("...");
    bool special = false, breaks = false, edge = false, trailing_space = false;
    bool break_space = false, space_break = false, previous_space = false, previous_break = false;
    bool preceded = true;
    for (std::size_t at = 0; at < text.size();) {
        const ScalarCharacter c = character_at(text, at);
        const bool first = at == 0, last = at + c.size == text.size();
        const bool followed = blank_or_end(text, at + c.size);
        if (first && c.size == 1) {
            if (is_start_indicator(text[0])) indicators = true;
            if ((c.code == '?' || c.code == ':' || c.code == '-') && followed) indicators = true;
        } else if ((c.code == ':' && followed) || (c.code == '#' && preceded))
            indicators = true;
        if (!is_printable(c.code)) special = true;
        if (c.code == ' ') {
            edge = edge || first || last;
            trailing_space = trailing_space || last;
            break_space = break_space || previous_break;
            previous_space = true;
            previous_break = false;
        } else if (is_break(c.code)) {
            breaks = true;
            edge = edge || first || last;
            space_break = space_break || previous_space;
            previous_break = true;
            previous_space = false;
        } else
            previous_space = previous_break = false;
        preceded = c.code == ' ' || c.code == '\t' || is_break(c.code);
        at += c.size;
    }
    if (edge || breaks || indicators) allowed.plain = false;
    if (trailing_space) allowed.block = false;
    if (break_space) allowed.plain = allowed.single_quoted = false;
    if (space_break || special) allowed.plain = allowed.single_quoted = allowed.block = false;
    return allowed;
}

void write_folding(EmitSink& sink, std::string_view text, std::size_t indent, bool fold, bool quoted) {
    bool spaces = false, breaks = false;
    for (std::size_t at = 0; at < text.size();) {
        const ScalarCharacter c = character_at(text, at);
        if (c.code == ' ') {
            const bool inside = !quoted || (at > 0 && at + 1 < text.size());
            if (fold && !spaces && inside && sink.column() > best_width &&
                !(at + 1 < text.size() && text[at + 1] == ' '))
                sink.newline(indent);
            else
                sink.out += ' ';
            spaces = true;
        } else if (is_break(c.code)) {
            if (!breaks && c.code == '\n') sink.newline(0);
            sink.newline(0);
            breaks = true;
        } else {
            if (breaks) sink.out.append(indent, ' ');
            if (quoted && c.code == '\'') sink.out += '\'';
            sink.out.append(text.substr(at, c.size));
            spaces = breaks = false;
        }
        at += c.size;
    }
}

void write_escape(std::string& out, std::uint32_t c) {
    out += '\\';
    switch (c) {
    case 0x00:
        out += '0';
        return;
    case 0x07:
        out += 'a';
        return;
    case 0x08:
        out += 'b';
        return;
    case 0x09:
        out += 't';
        return;
    case 0x0A:
        out += 'n';
        return;
    case 0x0B:
        out += 'v';
        return;
    case 0x0C:
        out += 'f';
        return;
    case 0x0D:
        out += 'r';
        return;
    case 0x1B:
        out += 'e';
        return;
    case 0x22:
        out += '"';
        return;
    case 0x5C:
        out += '\\';
        return;
    case 0x85:
        out += 'N';
        return;
    case 0xA0:
        out += '_';
        return;
    case 0x2028:
        out += 'L';
        return;
    case 0x2029:
        out += 'P';
        return;
    default:
        break;
    }
    const int digits = c <= 0xFF ? 2 : c <= 0xFFFF ? 4 : 8;
    out += c <= 0xFF ? 'x' : c <= 0xFFFF ? 'u' : 'U';
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4)
        out += "0123456789ABCDEF"[(c >> static_cast<unsigned>(shift)) & 15U];
}

void write_double_quoted(EmitSink& sink, std::string_view text, std::size_t indent, bool fold) {
    sink.out += '"';
    bool spaces = false;
    for (std::size_t at = 0; at < text.size();) {
        const ScalarCharacter c = character_at(text, at);
        if (!is_printable(c.code) || is_break(c.code) || c.code == '"' || c.code == '\\') {
            write_escape(sink.out, c.code);
            spaces = false;
        } else if (c.code == ' ') {
            if (fold && !spaces && sink.column() > best_width && at > 0 && at + 1 < text.size()) {
                sink.newline(indent);
                if (text[at + 1] == ' ') sink.out += '\\';
            } else
                sink.out += ' ';
            spaces = true;
        } else {
            sink.out.append(text.substr(at, c.size));
            spaces = false;
        }
        at += c.size;
    }
    sink.out += '"';
}

void write_literal(EmitSink& sink, std::string_view text, std::size_t indent) {
    sink.out += '|';
    if (text[0] == ' ' || is_break(character_at(text, 0).code)) sink.out += '2';
    const auto ends_in_break = [](std::string_view part) { return part.ends_with('\n'); };
    if (!ends_in_break(text))
        sink.out += '-';
    else if (text.size() == 1 || ends_in_break(text.substr(0, text.size() - 1)))
        sink.out += '+';
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        sink.newline(end > at ? indent : 0);
        sink.out.append(text.substr(at, end - at));
        at = end + 1;
    }
    // A text that ends in one break ends with its line; the next entry begins a new one.
}

} // namespace

std::size_t EmitSink::column() const {
    std::size_t count = 0;
    for (std::size_t i = line_start; i < out.size(); ++i)
        if ((static_cast<unsigned char>(out[i]) & 0xC0U) != 0x80U) ++count;
    return count;
}

NodeStyle scalar_style(std::string_view text, bool as_key) {
    const Allowed allowed = analyze(text);
    if (text.find('\n') != std::string_view::npos)
        return allowed.block && !as_key ? NodeStyle::literal : NodeStyle::double_quoted;
    if (!reads_as_text_v2(text)) return NodeStyle::double_quoted;
    if (allowed.plain) return NodeStyle::plain;
    return allowed.single_quoted ? NodeStyle::single_quoted : NodeStyle::double_quoted;
}

void write_scalar(EmitSink& sink, std::string_view text, NodeStyle style, std::size_t indent, bool as_key) {
    switch (style) {
    case NodeStyle::literal:
        write_literal(sink, text, indent);
        return;
    case NodeStyle::double_quoted:
        write_double_quoted(sink, text, indent, !as_key);
        return;
    case NodeStyle::single_quoted:
        sink.out += '\'';
        write_folding(sink, text, indent, !as_key, true);
        sink.out += '\'';
        return;
    default:
        write_folding(sink, text, indent, !as_key, false);
    }
}

} // namespace lockstep

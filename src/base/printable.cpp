// Decides which code points a terminal may get as they are, how wide they are, and how the others are spelled.
#include "base/printable.h"
#include <algorithm>
#include <iterator>

namespace lockstep {
namespace {

struct CodeRange {
    char32_t first, last;
};

template <std::size_t N> bool is_in(const CodeRange (&ranges)[N], char32_t code) {
    const CodeRange* after = std::upper_bound(std::begin(ranges), std::end(ranges), code,
                                              [](char32_t c, const CodeRange& range) { return c < range.first; });
    return after != std::begin(ranges) && code <= std::prev(after)->last;
}

// Controls, and characters that are invisible or turn the reading order: a line must not read as what it is not.
constexpr CodeRange unprintable[] = {
    {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},   {0x180e, 0x180e}, {0x200b, 0x200b},
    {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f},
};

constexpr CodeRange combining[] = {
    {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},   {0x64b, 0x65f},   {0x1ab0, 0x1aff},
    {0x1dc0, 0x1dff}, {0x200c, 0x200d}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
};

constexpr CodeRange wide[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},   {0x2705, 0x2705},   {0x274c, 0x274c},
    {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff},
    {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
};

unsigned char byte_at(std::string_view text, std::size_t at) {
    return static_cast<unsigned char>(text[at]);
}

// Bytes of the code point that starts at `at`; 0 when there is none: no overlong forms, no surrogates.
std::size_t decode(std::string_view text, std::size_t at, char32_t& code) {
    const unsigned char lead = byte_at(text, at);
    code = lead;
    if (lead < 0x80) return 1;
    const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() - at < size) return 0;
    char32_t value = lead & (0x7fU >> size);
    for (std::size_t i = 1; i < size; ++i) {
        const unsigned char next = byte_at(text, at + i);
        if ((next & 0xc0U) != 0x80) return 0;
        value = (value << 6) | (next & 0x3fU);
    }
    const char32_t least = size == 4 ? 0x10000 : size == 3 ? 0x800 : 0x80;
    if (value < least || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return 0;
    code = value;
    return size;
}

// The log readers of GitHub, Azure and TeamCity take these anywhere in a line as a command to the build.
bool opens_log_command(std::string_view rest) {
    return rest.starts_with("##[") || rest.starts_with("##vso[") || rest.starts_with("##teamcity[");
}

bool is_plain(char c) {
    return c >= ' ' && c <= '~' && c != '#';
}

void append_hex(std::string& out, char32_t value, int digits) {
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
        out += "0123456789abcdef"[(value >> shift) & 0xfU];
}

int hex_digits(char32_t code) {
    return code > 0xfffff ? 6 : code > 0xffff ? 5 : 4;
}

} // namespace

Glyph read_glyph(std::string_view text, std::size_t at) {
    Glyph glyph;
    const std::size_t size = decode(text, at, glyph.code);
    glyph.bytes = text.substr(at, std::max<std::size_t>(size, 1));
    if (glyph.code == '\t') {
        glyph.columns = 8;
    } else if (size == 0 || is_in(unprintable, glyph.code) ||
               (glyph.code == '#' && opens_log_command(text.substr(at)))) {
        glyph.escaped = true;
        const bool is_short = glyph.code == '\n' || glyph.code == '\r';
        glyph.columns = is_short ? 2 : size < 2 ? 4 : static_cast<std::uint32_t>(4 + hex_digits(glyph.code));
    } else if (size > 1) {
        glyph.columns = is_in(combining, glyph.code) ? 0 : is_in(wide, glyph.code) ? 2 : 1;
    }
    return glyph;
}

void append_glyph(std::string& out, const Glyph& glyph) {
    if (!glyph.escaped) {
        out += glyph.bytes;
    } else if (glyph.code == '\n' || glyph.code == '\r') {
        out += glyph.code == '\n' ? "\\n" : "\\r";
    } else if (glyph.bytes.size() == 1) {
        out += "\\x";
        append_hex(out, glyph.code, 2);
    } else {
        out += "\\u{";
        append_hex(out, glyph.code, hex_digits(glyph.code));
        out += '}';
    }
}

void append_printable(std::string& out, std::string_view s) {
    for (std::size_t at = 0; at < s.size();) {
        const auto run = std::find_if_not(s.begin() + at, s.end(), is_plain);
        const auto plain = static_cast<std::size_t>(run - s.begin()) - at;
        out += s.substr(at, plain);
        at += plain;
        if (at == s.size()) return;
        const Glyph glyph = read_glyph(s, at);
        if (glyph.code == '\t')
            out += "\\t";
        else
            append_glyph(out, glyph);
        at += glyph.bytes.size();
    }
}

std::string printable(std::string_view s) {
    std::string out;
    append_printable(out, s);
    return out;
}

void append_path(std::string& out, std::string_view path) {
    // GitHub takes a line that opens with `::` as a command, blanks before it or not.
    const auto first = path.find_first_not_of(' ');
    if (first != std::string_view::npos && path[first] == ':') out += "./";
    append_printable(out, path);
}

} // namespace lockstep

// Decoding, classes, case and quoting of runes.
#include "helm/runes.h"
#include "base/text.h"
#include "helm/rune_tables.h"
#include <algorithm>
#include <iterator>

namespace lockstep {
namespace {

using namespace rune_tables;

template <std::size_t N> bool within(const RuneRange (&table)[N], char32_t rune) {
    const auto* found = std::upper_bound(std::begin(table), std::end(table), rune,
                                         [](char32_t r, const RuneRange& range) { return r < range.first; });
    return found != std::begin(table) && rune <= std::prev(found)->last;
}

template <std::size_t N> char32_t shift(const RuneShift (&table)[N], char32_t rune) {
    const auto* found = std::upper_bound(std::begin(table), std::end(table), rune,
                                         [](char32_t r, const RuneShift& range) { return r < range.first; });
    if (found == std::begin(table)) return rune;
    --found;
    if (rune > found->last || (rune - found->first) % found->stride != 0) return rune;
    return static_cast<char32_t>(static_cast<std::int64_t>(rune) + found->delta);
}

constexpr char hex_digits[] = "0123456789abcdef";

void append_hex(std::string& out, char32_t rune, int digits) {
    for (int i = digits - 1; i >= 0; --i)
        out += hex_digits[(rune >> (4 * i)) & 0xfU];
}

void append_escaped(std::string& out, char32_t rune, std::uint32_t size, char quote, unsigned char first) {
    if (rune == static_cast<unsigned char>(quote) || rune == '\\') {
        out += '\\';
        out += static_cast<char>(rune);
        return;
    }
    if (size == 1 && rune == bad_rune) {
        out += "\\x";
        append_hex(out, first, 2);
        return;
    }
    if (is_printable(rune)) return append_rune(out, rune);
    constexpr std::string_view plain = "\a\b\f\n\r\t\v", codes = "abfnrtv";
    if (rune < 0x80) {
        const std::size_t at = plain.find(static_cast<char>(rune));
        if (at != std::string_view::npos) {
            out += '\\';
            out += codes[at];
            return;
        }
    }
    if (rune < ' ' || rune == 0x7f) {
        out += "\\x";
        append_hex(out, rune, 2);
    } else if (rune < 0x10000) {
        out += "\\u";
        append_hex(out, rune, 4);
    } else {
        out += "\\U";
        append_hex(out, rune, 8);
    }
}

} // namespace

Rune decode_rune(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(at);
    if (first < 0x80) return {first, 1};
    const std::uint32_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || at + size > text.size()) return {};
    char32_t rune = first & (0xffU >> (size + 1));
    for (std::uint32_t i = 1; i < size; ++i) {
        if ((byte(at + i) & 0xc0U) != 0x80U) return {};
        rune = (rune << 6U) | (byte(at + i) & 0x3fU);
    }
    if ((size == 3 && rune < 0x800) || (size == 4 && (rune < 0x10000 || rune > 0x10ffff)) ||
        (rune >= 0xd800 && rune < 0xe000))
        return {};
    return {rune, size};
}

void append_rune(std::string& text, char32_t rune) {
    if (rune > 0x10ffff || (rune >= 0xd800 && rune < 0xe000)) rune = bad_rune;
    const auto add = [&](char32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (rune < 0x80) return add(rune);
    if (rune < 0x800) {
        add(0xc0U | (rune >> 6U));
    } else if (rune < 0x10000) {
        add(0xe0U | (rune >> 12U));
        add(0x80U | ((rune >> 6U) & 0x3fU));
    } else {
        add(0xf0U | (rune >> 18U));
        add(0x80U | ((rune >> 12U) & 0x3fU));
        add(0x80U | ((rune >> 6U) & 0x3fU));
    }
    add(0x80U | (rune & 0x3fU));
}

std::size_t count_runes(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++count)
        at += decode_rune(text, at).size;
    return count;
}

bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const Rune rune = decode_rune(text, at);
        if (rune.value == bad_rune && rune.size == 1) return false;
        at += rune.size;
    }
    return true;
}

bool is_letter_rune(char32_t rune) {
    if (rune < 0x80) return (rune >= 'a' && rune <= 'z') || (rune >= 'A' && rune <= 'Z');
    return within(letters, rune);
}

bool is_digit_rune(char32_t rune) {
    if (rune < 0x80) return rune >= '0' && rune <= '9';
    return within(digits, rune);
}

bool is_space_rune(char32_t rune) {
    return rune == ' ' || (rune >= '\t' && rune <= '\r') || rune == 0x85 || rune == 0xa0 || rune == 0x1680 ||
           (rune >= 0x2000 && rune <= 0x200a) || rune == 0x2028 || rune == 0x2029 || rune == 0x202f || rune == 0x205f ||
           rune == 0x3000;
}

bool is_printable(char32_t rune) {
    if (rune < 0x7f) return rune >= ' ';
    return within(printable, rune);
}

char32_t to_upper(char32_t rune) {
    if (rune < 0x80) return rune >= 'a' && rune <= 'z' ? rune - 32 : rune;
    return shift(upper, rune);
}

char32_t to_lower(char32_t rune) {
    if (rune < 0x80) return rune >= 'A' && rune <= 'Z' ? rune + 32 : rune;
    return shift(lower, rune);
}

namespace {
template <class F> std::string mapped(std::string_view text, F change) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Rune rune = decode_rune(text, at);
        append_rune(out, change(rune.value));
        at += rune.size;
    }
    return out;
}
} // namespace

std::string upper_text(std::string_view text) {
    return mapped(text, [](char32_t r) { return to_upper(r); });
}

std::string lower_text(std::string_view text) {
    return mapped(text, [](char32_t r) { return to_lower(r); });
}

std::string_view trim_space(std::string_view text) {
    while (!text.empty()) {
        const Rune rune = decode_rune(text, 0);
        if (!is_space_rune(rune.value)) break;
        text.remove_prefix(rune.size);
    }
    while (!text.empty()) {
        std::size_t last = text.size() - 1;
        while (last > 0 && (static_cast<unsigned char>(text[last]) & 0xc0U) == 0x80U && text.size() - last < 4)
            --last;
        const Rune rune = decode_rune(text, last);
        if (last + rune.size != text.size() || !is_space_rune(rune.value)) break;
        text.remove_suffix(rune.size);
    }
    return text;
}

void append_quoted(std::string& out, std::string_view text) {
    out += '"';
    for (std::size_t at = 0; at < text.size();) {
        const Rune rune = decode_rune(text, at);
        append_escaped(out, rune.value, rune.size, '"', static_cast<unsigned char>(text[at]));
        at += rune.size;
    }
    out += '"';
}

std::string quoted(std::string_view text) {
    std::string out;
    append_quoted(out, text);
    return out;
}

void append_rune_quoted(std::string& out, char32_t rune) {
    if (rune > 0x10ffff || (rune >= 0xd800 && rune < 0xe000)) rune = bad_rune;
    out += '\'';
    append_escaped(out, rune, 3, '\'', 0);
    out += '\'';
}

bool unquote_char(std::string_view text, std::size_t& at, char quote, char32_t& rune, bool& is_byte) {
    is_byte = false;
    if (at >= text.size()) return false;
    if (text[at] == quote && quote != '\0') return false;
    if (text[at] != '\\') {
        const Rune next = decode_rune(text, at);
        rune = next.value;
        at += next.size;
        return true;
    }
    if (++at >= text.size()) return false;
    const char c = text[at++];
    constexpr std::string_view codes = "abfnrtv\\", plain = "\a\b\f\n\r\t\v\\";
    if (const std::size_t found = codes.find(c); found != std::string_view::npos) {
        rune = static_cast<unsigned char>(plain[found]);
        return true;
    }
    if (c == '\'' || c == '"') {
        if (c != quote) return false;
        rune = static_cast<unsigned char>(c);
        return true;
    }
    const int wanted = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (wanted > 0) {
        rune = 0;
        for (int i = 0; i < wanted; ++i) {
            const int digit = at < text.size() ? hex_value(text[at]) : -1;
            if (digit < 0) return false;
            rune = (rune << 4U) | static_cast<char32_t>(digit);
            ++at;
        }
        is_byte = c == 'x';
        return is_byte || (rune <= 0x10ffff && !(rune >= 0xd800 && rune < 0xe000));
    }
    if (c < '0' || c > '7') return false;
    rune = static_cast<char32_t>(c - '0');
    for (int i = 0; i < 2; ++i) {
        if (at >= text.size() || text[at] < '0' || text[at] > '7') return false;
        rune = rune * 8 + static_cast<char32_t>(text[at++] - '0');
    }
    is_byte = true;
    return rune <= 255;
}

bool unquote(std::string_view literal, std::string& out) {
    if (literal.size() < 2 || literal.front() != literal.back()) return false;
    const char quote = literal.front();
    const std::string_view inner = literal.substr(1, literal.size() - 2);
    if (quote == '`') {
        if (inner.find('`') != std::string_view::npos) return false;
        out = inner;
        std::erase(out, '\r');
        return true;
    }
    if (quote != '"' || inner.find('\n') != std::string_view::npos) return false;
    out.clear();
    for (std::size_t at = 0; at < inner.size();) {
        if (inner[at] != '\\' && inner[at] != '"') { // bytes that are no UTF-8 stay as they are
            out += inner[at++];
            continue;
        }
        char32_t rune = 0;
        bool is_byte = false;
        if (!unquote_char(inner, at, '"', rune, is_byte)) return false;
        if (is_byte)
            out += static_cast<char>(static_cast<unsigned char>(rune));
        else
            append_rune(out, rune);
    }
    return true;
}

} // namespace lockstep

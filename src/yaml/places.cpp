// Walks over the bytes around libyaml's marks, so that every span is exact.
#include "yaml/places.h"
#include "base/text.h"
#include <algorithm>
#include <cstring>

namespace lockstep {
namespace {

using Offset = std::uint32_t;

Offset size_of(std::string_view bytes) {
    return static_cast<Offset>(bytes.size());
}

Offset line_end(std::string_view bytes, Offset at) {
    const std::size_t end = bytes.find('\n', at);
    return end == std::string_view::npos ? size_of(bytes) : static_cast<Offset>(end);
}

Offset next_line(std::string_view bytes, Offset at) {
    return std::min(line_end(bytes, at) + 1, size_of(bytes));
}

// YAML 1.1 breaks lines at U+0085, U+2028 and U+2029 as well.
Offset break_size(std::string_view bytes, Offset at) {
    if (is_break(bytes[at])) return 1;
    const std::string_view rest = bytes.substr(at, 3);
    if (rest.starts_with("\xc2\x85")) return 2;
    return rest == "\xe2\x80\xa8" || rest == "\xe2\x80\xa9" ? 3 : 0;
}

Offset comment_end(std::string_view bytes, Offset at) {
    while (at < bytes.size() && break_size(bytes, at) == 0)
        ++at;
    return at;
}

// Behind blanks, line breaks and comments.
Offset skip_space(std::string_view bytes, Offset at) {
    while (at < bytes.size()) {
        // libyaml skips a byte order mark at the start of any line.
        const bool mark = at > 0 && is_break(bytes[at - 1]) && bytes.substr(at, 3) == "\xef\xbb\xbf";
        const Offset size = is_blank(bytes[at]) ? 1 : mark ? 3 : break_size(bytes, at);
        if (size == 0 && bytes[at] != '#') break;
        at = size == 0 ? comment_end(bytes, at) : at + size;
    }
    return at;
}

bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

Offset skip_property(std::string_view bytes, Offset at) {
    const bool anchor = bytes[at] == '&', verbatim = bytes.substr(at).starts_with("!<");
    for (++at; at < bytes.size() && !is_blank(bytes[at]) && break_size(bytes, at) == 0; ++at) {
        if (verbatim && bytes[at] == '>') return at + 1;
        if (anchor && !is_name(bytes[at])) break;
        if (!verbatim && std::strchr(",[]{}", bytes[at]) != nullptr) break;
    }
    return at;
}

} // namespace

void ByteCursor::restart(std::uint32_t at) {
    start_ = byte_ = at;
    index_ = 0;
}

std::uint32_t ByteCursor::byte_of(std::size_t index) {
    if (ascii_) return static_cast<Offset>(std::min(start_ + index, bytes_.size()));
    const auto continues = [&](Offset at) { return (static_cast<unsigned char>(bytes_[at]) & 0xc0U) == 0x80U; };
    for (; index_ < index && byte_ < bytes_.size(); ++index_) {
        ++byte_;
        while (byte_ < bytes_.size() && continues(byte_))
            ++byte_;
    }
    for (; index_ > index && byte_ > start_; --index_) {
        --byte_;
        while (byte_ > start_ && continues(byte_))
            --byte_;
    }
    return byte_;
}

std::uint32_t skip_properties(std::string_view bytes, std::uint32_t at, int count, bool to_content) {
    for (int i = 0; i < count; ++i) {
        at = skip_space(bytes, at);
        if (at >= bytes.size()) return at;
        at = skip_property(bytes, at);
    }
    return to_content ? skip_space(bytes, at) : at;
}

std::uint32_t end_of_block_scalar(std::string_view bytes, std::uint32_t begin, std::uint32_t end) {
    Offset header = begin;
    while (header < end && std::strchr("|>+-0123456789", bytes[header]) != nullptr)
        ++header;
    const Offset first_line = std::min(line_end(bytes, header), end);
    while (end > first_line && is_blank_or_break(bytes[end - 1]))
        --end;
    if (end <= first_line) return header;
    // Blanks at the end of the last line are content.
    while (end < bytes.size() && is_blank(bytes[end]))
        ++end;
    return end;
}

std::uint32_t place_of_nothing(std::string_view bytes, std::uint32_t from, std::uint32_t to) {
    Offset place = from;
    for (Offset at = skip_space(bytes, from); at < to; at = skip_space(bytes, at))
        place = ++at;
    return place;
}

std::optional<Separator> next_separator(std::string_view bytes, std::uint32_t from, std::uint32_t indent) {
    Offset line = from;
    if (line > 0 && bytes[line - 1] != '\n') line = next_line(bytes, line);
    while (line < bytes.size()) {
        const std::string_view rest = bytes.substr(line);
        const std::size_t blanks = std::min<std::size_t>(rest.find_first_not_of(' '), indent + 1);
        if (blanks == indent && rest.substr(indent).starts_with("---")) {
            const Offset behind = line + indent + 3;
            // At column 0 a document may begin on the line; deeper, `--- x` is text like any other.
            const std::string_view tail = bytes.substr(behind, line_end(bytes, behind) - behind);
            const std::size_t content = tail.find_first_not_of(" \t\r");
            const bool bare = content == std::string_view::npos || (content > 0 && tail[content] == '#');
            if (bare || (indent == 0 && content > 0)) return Separator{line, behind};
        }
        line = next_line(bytes, line);
    }
    return std::nullopt;
}

std::optional<Separator> separator_after_document(std::string_view bytes, std::uint32_t from) {
    Offset line = from;
    if (line > 0 && bytes[line - 1] != '\n') line = next_line(bytes, line);
    if (from == 0 && bytes.starts_with("\xef\xbb\xbf")) line = 3;
    for (; line < bytes.size(); line = next_line(bytes, line)) {
        const std::string_view rest = bytes.substr(line);
        if (rest.starts_with("---")) return next_separator(bytes, line + 3, 0);
        const std::size_t content = rest.find_first_not_of(" \t\r");
        const bool skip = content == std::string_view::npos || rest[content] == '\n' || rest[content] == '#' ||
                          rest[0] == '%' || rest.starts_with("...");
        if (!skip) break;
    }
    return next_separator(bytes, line, 0);
}

std::optional<Span> long_blank_run(std::string_view bytes) {
    // Probes as far apart as a run may be long: no longer one passes between them.
    for (std::size_t probe = longest_blank_run; probe < bytes.size();) {
        std::size_t end = probe, begin = probe;
        while (begin > probe - longest_blank_run && is_blank_or_break(bytes[begin - 1]))
            --begin;
        std::size_t breaks = 0, blanks = 0;
        for (end = begin; end < bytes.size() && is_blank_or_break(bytes[end]); ++end) {
            blanks = is_break(bytes[end]) ? 0 : blanks + 1;
            breaks += bytes[end] == '\n' ? 1 : 0;
            if (std::max(blanks, breaks) > longest_blank_run)
                return Span{static_cast<Offset>(begin), static_cast<Offset>(end)};
        }
        probe = std::max(probe, end) + longest_blank_run;
    }
    return std::nullopt;
}

bool has_template(std::string_view source, Dialect dialect) {
    for (std::size_t at = source.find('{'); at != std::string_view::npos; at = source.find('{', at + 1)) {
        if (at == 0) continue;
        const char before = source[at - 1];
        if (dialect == Dialect::yaml && (before == '{' || before == '$')) return true;
        const bool escaped = at > 1 && source[at - 2] == before;
        if (dialect == Dialect::terraform && (before == '$' || before == '%') && !escaped) return true;
    }
    return false;
}

bool is_filled_by_template(std::string_view source, std::string_view parsed, std::uint32_t at, Dialect dialect) {
    while (at < parsed.size() && (is_blank_or_break(parsed[at]) || parsed[at] == '#')) {
        if (parsed[at] == '#') {
            at = comment_end(parsed, at);
            continue;
        }
        const std::string_view rest = source.substr(at);
        if (dialect == Dialect::terraform && (rest.starts_with("%{") || rest.starts_with("${"))) return true;
        if (rest.starts_with("{{")) {
            const std::size_t inside = rest.find_first_not_of("- \t", 2);
            if (inside == std::string_view::npos || !rest.substr(inside).starts_with("/*")) return true;
        }
        ++at;
    }
    return false;
}

std::string unmask(std::string_view value, std::string_view parsed, std::string_view source, std::size_t indent) {
    std::string out(value);
    std::size_t at = 0;
    const auto skip_indent = [&] {
        for (std::size_t i = 0; i < indent && at < parsed.size() && parsed[at] == ' '; ++i)
            ++at;
    };
    const auto step = [&] {
        if (parsed[at++] == '\n') skip_indent();
    };
    skip_indent();
    for (char& c : out) {
        // Line breaks and blanks that folding took away; a blank may be a folded line break.
        while (at < parsed.size() && parsed[at] != c && is_blank_or_break(parsed[at]) &&
               !(c == ' ' && parsed[at] == '\n'))
            step();
        if (at == parsed.size()) break;
        if (!is_blank_or_break(parsed[at]) && parsed[at] != c) return std::string(source); // an escape: no way to tell
        if (parsed[at] == c) c = source[at];
        step();
    }
    return out;
}

} // namespace lockstep

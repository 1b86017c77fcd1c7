// One pass over the bytes of a text: finds what libyaml would stop at without saying where, and blanks it, so that a
// single byte cannot hide a file from the linter.
#include "yaml/bytes.h"
#include <cstring>

namespace lockstep {
namespace {

constexpr std::size_t most_byte_problems = 20;
constexpr std::size_t block_size = 64;

std::uint8_t byte_at(std::string_view bytes, std::size_t at) {
    return static_cast<std::uint8_t>(bytes[at]);
}

std::string hex(std::uint32_t value, int digits) {
    std::string out;
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4)
        out += "0123456789ABCDEF"[(value >> shift) & 15U];
    return out;
}

Span span_of(std::size_t begin, std::size_t size) {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + size)};
}

// The encoding's name when the text is UTF-16 or UTF-32, by its mark or by the zeros of its first ASCII characters.
std::string_view wide_encoding(std::string_view bytes) {
    if (bytes.size() < 2) return {};
    const std::uint8_t a = byte_at(bytes, 0), b = byte_at(bytes, 1);
    const bool four = bytes.size() >= 4;
    const std::uint8_t c = four ? byte_at(bytes, 2) : 1, d = four ? byte_at(bytes, 3) : 1;
    if (four && a == 0xff && b == 0xfe && c == 0 && d == 0) return "UTF-32";
    if (four && a == 0 && b == 0 && ((c == 0xfe && d == 0xff) || (c == 0 && d != 0))) return "UTF-32";
    if (four && a != 0 && b == 0 && c == 0 && d == 0) return "UTF-32";
    if ((a == 0xff && b == 0xfe) || (a == 0xfe && b == 0xff)) return "UTF-16";
    if (four && ((a != 0 && b == 0 && c != 0 && d == 0) || (a == 0 && b != 0 && c == 0 && d != 0))) return "UTF-16";
    return {};
}

struct Character {
    std::uint32_t code = 0;
    std::size_t size = 0; // 0: no UTF-8
};

Character decode(std::string_view bytes, std::size_t at) {
    const std::uint8_t lead = byte_at(bytes, at);
    const std::size_t size = lead >= 0xf0 && lead < 0xf8   ? 4
                             : lead >= 0xe0 && lead < 0xf0 ? 3
                             : lead >= 0xc2 && lead < 0xe0 ? 2
                                                           : 0;
    if (size == 0 || at + size > bytes.size()) return {};
    std::uint32_t code = lead & (0xffU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
        const std::uint8_t next = byte_at(bytes, at + i);
        if ((next & 0xc0U) != 0x80U) return {};
        code = code << 6U | (next & 0x3fU);
    }
    const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
    if (overlong || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {};
    return {code, size};
}

class Scanner {
public:
    explicit Scanner(std::string_view bytes) : bytes_(bytes) {}

    ByteScan run() {
        std::size_t at = 0;
        while (at + block_size <= bytes_.size())
            at = is_ordinary(bytes_.data() + at) ? at + block_size : look_closely(at, at + block_size);
        look_closely(at, bytes_.size());
        return std::move(scan_);
    }

private:
    // Written without branches: the compiler makes vector code of it.
    static bool is_ordinary(const char* block) {
        unsigned odd = 0;
        for (std::size_t i = 0; i < block_size; ++i) {
            const auto c = static_cast<std::uint8_t>(block[i]);
            odd |= static_cast<unsigned>((c < 0x20) & (c != '\t') & (c != '\n') & (c != '\r')) |
                   static_cast<unsigned>(c >= 0x7f) | static_cast<unsigned>(c == '{');
        }
        return odd == 0;
    }

    std::size_t look_closely(std::size_t at, std::size_t end) {
        while (at < end) {
            const std::uint8_t c = byte_at(bytes_, at);
            if (c == '{') {
                const char before = at > 0 ? bytes_[at - 1] : '\0';
                scan_.go_action |= before == '{';
                scan_.reference |= before == '$';
                scan_.directive |= before == '%';
            }
            if (c >= 0x80) {
                at = take_wide(at);
                continue;
            }
            if (((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f) && forbid(at, 1))
                report(at, 1, c == 0 ? "NUL byte" : "control character 0x" + hex(c, 2) + " is not allowed in YAML");
            ++at;
        }
        return at;
    }

    std::size_t take_wide(std::size_t at) {
        scan_.ascii = false;
        const Character character = decode(bytes_, at);
        if (character.size == 0) {
            if (forbid(at, 1)) report(at, 1, "byte 0x" + hex(byte_at(bytes_, at), 2) + " is not UTF-8");
            return at + 1;
        }
        const std::uint32_t code = character.code;
        scan_.odd_breaks |= code == 0x85 || code == 0x2028 || code == 0x2029 || code == 0xfeff;
        if (code == 0x85 || code == 0x2028 || code == 0x2029)
            note_separator(at, character);
        else if ((code < 0xa0 || code == 0xfffe || code == 0xffff) && forbid(at, character.size))
            report(at, character.size, "control character U+" + hex(code, 4) + " is not allowed in YAML");
        return at + character.size;
    }

    void note_separator(std::size_t at, const Character& character) {
        if (separator_seen_) return;
        separator_seen_ = true;
        scan_.problems.push_back({YamlProblem::Kind::line_separator, span_of(at, character.size),
                                  "U+" + hex(character.code, 4) +
                                      ": YAML 1.1 readers (kubectl, Helm, Flux) break the line at this character"});
    }

    // Blanks it; true when it is the first one on its line, and there is room for one more problem.
    bool forbid(std::size_t at, std::size_t size) {
        if (scan_.blanked.empty()) scan_.blanked = bytes_;
        std::memset(scan_.blanked.data() + at, ' ', size);
        const bool same_line =
            any_forbidden_ && std::memchr(bytes_.data() + last_forbidden_, '\n', at - last_forbidden_) == nullptr;
        any_forbidden_ = true;
        last_forbidden_ = at;
        return !same_line && reported_ < most_byte_problems;
    }

    void report(std::size_t at, std::size_t size, std::string message) {
        ++reported_;
        scan_.problems.push_back({YamlProblem::Kind::syntax, span_of(at, size), std::move(message)});
    }

    std::string_view bytes_;
    ByteScan scan_;
    bool separator_seen_ = false;
    bool any_forbidden_ = false;
    std::size_t last_forbidden_ = 0;
    std::size_t reported_ = 0;
};

} // namespace

ByteScan scan_bytes(std::string_view bytes) {
    // Spans have 32 bits, and a double-quoted scalar may decode to one and a half times its bytes.
    const bool too_large = bytes.size() > 0x7fffffffU;
    const std::string_view wide = wide_encoding(bytes);
    if (!too_large && wide.empty()) return Scanner(bytes).run();
    ByteScan scan;
    scan.readable = false;
    scan.problems.push_back({YamlProblem::Kind::syntax, span_of(0, bytes.size() < 4 ? bytes.size() : 4),
                             too_large ? std::string("the file is larger than 2 GiB and was not read")
                                       : "the file is " + std::string(wide) + "; save it as UTF-8"});
    return scan;
}

} // namespace lockstep

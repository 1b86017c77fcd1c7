// Places in files: where every value, finding and error is. Offsets are bytes; lines are counted late.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

using FileId = std::uint32_t;
inline constexpr FileId no_file = 0xffffffffU;

struct Span {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    friend auto operator<=>(const Span&, const Span&) = default;
};

struct Place {
    FileId file = no_file;
    Span span;
    friend auto operator<=>(const Place&, const Place&) = default;
};

// 1-based. A column counts Unicode code points, as SARIF's `unicodeCodePoints` does.
struct Position {
    std::uint32_t line = 1;
    std::uint32_t column = 1;
    friend auto operator<=>(const Position&, const Position&) = default;
};

// Line starts of one text. Lines end at LF (a CR before it belongs to the line's end, not to its text).
class LineTable {
public:
    explicit LineTable(std::string_view text);
    Position position(std::uint32_t offset) const;
    std::string_view line(std::uint32_t number) const; // 1-based, without its line break
    std::uint32_t line_count() const { return static_cast<std::uint32_t>(starts_.size()); }
    std::uint32_t line_start(std::uint32_t number) const { return starts_[number - 1]; }

private:
    std::uint32_t characters_before(std::size_t offset) const;
    std::string_view text_;
    std::vector<std::uint32_t> starts_;
    std::vector<std::uint32_t> marks_; // characters before every 4096th byte; only for a text with very long lines
};

} // namespace lockstep

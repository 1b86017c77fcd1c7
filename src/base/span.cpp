// Turns byte offsets into lines and columns; reports ask only for the places they print.
#include "base/span.h"
#include "base/utf8.h"
#include <algorithm>
#include <bit>
#include <cstring>

namespace lockstep {

namespace {

constexpr std::size_t block = 4096;

// Eight bytes at a time: a continuation byte has its highest bit set and the next one not.
std::uint32_t count_characters(std::string_view text) {
    std::uint32_t count = 0;
    for (; text.size() >= 8; text.remove_prefix(8)) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, text.data(), 8);
        const std::uint64_t continuations = (bytes >> 7U) & (~bytes >> 6U) & 0x0101010101010101U;
        count += 8U - static_cast<std::uint32_t>(std::popcount(continuations));
    }
    for (const char byte : text)
        count += is_continuation(byte) ? 0 : 1;
    return count;
}

} // namespace

LineTable::LineTable(std::string_view text) : text_(text.substr(0, 0xfffffffeU)), starts_{0} {
    for (std::size_t at = 0; at < text_.size();) {
        const void* found = std::memchr(text_.data() + at, '\n', text_.size() - at);
        if (found == nullptr) break;
        at = static_cast<std::size_t>(static_cast<const char*>(found) - text_.data()) + 1;
        starts_.push_back(static_cast<std::uint32_t>(at));
    }
    std::size_t longest = text_.size() - starts_.back();
    for (std::size_t i = 1; i < starts_.size(); ++i)
        longest = std::max<std::size_t>(longest, starts_[i] - starts_[i - 1]);
    if (longest <= block) return;
    // A thousand findings on one line of a megabyte must not count that line a thousand times.
    std::uint32_t count = 0;
    for (std::size_t at = 0; at < text_.size(); at += block) {
        marks_.push_back(count);
        count += count_characters(text_.substr(at, block));
    }
}

std::uint32_t LineTable::characters_before(std::size_t offset) const {
    const std::size_t whole = std::min(offset / block, marks_.size() - 1);
    return marks_[whole] + count_characters(text_.substr(whole * block, offset - whole * block));
}

Position LineTable::position(std::uint32_t offset) const {
    std::size_t at = std::min<std::size_t>(offset, text_.size());
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), static_cast<std::uint32_t>(at));
    const auto number = static_cast<std::uint32_t>(after - starts_.begin());
    const std::size_t start = starts_[number - 1];

    // The line break is no part of the line: an offset inside CRLF is just behind the text. An offset inside a
    // character belongs to that character.
    at = std::min(at, start + line(number).size());
    while (at > start && at < text_.size() && is_continuation(text_[at]))
        --at;

    const std::uint32_t before = at - start <= block ? count_characters(text_.substr(start, at - start))
                                                     : characters_before(at) - characters_before(start);
    return {number, before + 1};
}

std::string_view LineTable::line(std::uint32_t number) const {
    if (number == 0 || number > starts_.size()) return {};
    const std::size_t start = starts_[number - 1];
    if (number == starts_.size()) return text_.substr(start);
    std::size_t end = starts_[number] - 1U;
    if (end > start && text_[end - 1] == '\r') --end;
    return text_.substr(start, end - start);
}

} // namespace lockstep

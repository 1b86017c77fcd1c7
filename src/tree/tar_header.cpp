// Reads tar headers of all kinds that occur: V7, POSIX ustar with prefix, GNU with base-256 numbers, pax records.
#include "tree/tar_header.h"
#include <charconv>

namespace lockstep {

namespace {

Error fault(std::string message) {
    return {std::move(message)};
}

unsigned char byte(char c) {
    return static_cast<unsigned char>(c);
}

std::string_view until_nul(std::string_view field) {
    return field.substr(0, field.find('\0'));
}

std::optional<std::uint64_t> parse_octal(std::string_view field) {
    // Writers pad with blanks and NULs on either side.
    constexpr std::string_view padding(" \0", 2);
    std::size_t first = field.find_first_not_of(padding);
    if (first == std::string_view::npos) return 0;
    std::string_view digits = field.substr(first, field.find_last_not_of(padding) - first + 1);
    std::uint64_t value = 0;
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 8);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

std::optional<std::uint64_t> parse_number(std::string_view field) {
    if ((byte(field[0]) & 0x80U) == 0) return parse_octal(field);
    if (byte(field[0]) & 0x40U) return std::nullopt; // negative
    std::uint64_t value = byte(field[0]) & 0x3fU;
    for (char c : field.substr(1)) {
        if (value >> 55) return std::nullopt;
        value = (value << 8) | byte(c);
    }
    return value;
}

bool checksum_holds(std::string_view block) {
    auto expected = parse_octal(block.substr(148, 8));
    if (!expected) return false;
    std::int64_t plain = 0, with_signs = 0; // old writers added signed bytes
    for (std::size_t i = 0; i < block.size(); ++i) {
        char c = i >= 148 && i < 156 ? ' ' : block[i];
        plain += byte(c);
        with_signs += static_cast<signed char>(c);
    }
    auto sum = static_cast<std::int64_t>(*expected);
    return sum == plain || sum == with_signs;
}

} // namespace

Result<TarHeader> parse_tar_header(std::string_view block) {
    if (!checksum_holds(block)) return fault("its checksum is wrong");
    auto size = parse_number(block.substr(124, 12));
    if (!size) return fault("its size is not a number");
    TarHeader header;
    header.size = *size;
    header.type = block[156] == '\0' ? '0' : block[156];
    header.path = until_nul(block.substr(0, 100));
    // GNU writes `ustar ` and keeps times where POSIX has the prefix.
    if (block.substr(257, 6) == std::string_view("ustar\0", 6)) {
        std::string_view prefix = until_nul(block.substr(345, 155));
        if (!prefix.empty()) header.path = std::string(prefix) + '/' + header.path;
    }
    return header;
}

Result<PaxRecords> parse_pax_records(std::string_view text) {
    PaxRecords records;
    while (!text.empty() && text[0] != '\0') {
        std::size_t length = 0;
        auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
        auto head = static_cast<std::size_t>(end - text.data()) + 1; // digits and the blank
        if (error != std::errc{} || length > text.size() || head >= length || *end != ' ' || text[length - 1] != '\n')
            return fault("its pax records are damaged");
        std::string_view record = text.substr(head, length - head - 1);
        text.remove_prefix(length);
        std::size_t equals = record.find('=');
        if (equals == std::string_view::npos) return fault("its pax records are damaged");
        std::string_view key = record.substr(0, equals), value = record.substr(equals + 1);
        if (key == "path") {
            if (value.find('\0') != std::string_view::npos) return fault("its path has a NUL in it");
            records.path = std::string(value);
        } else if (key == "size") {
            std::uint64_t size = 0;
            auto [last, bad] = std::from_chars(value.data(), value.data() + value.size(), size);
            if (bad != std::errc{} || last != value.data() + value.size()) return fault("its size is not a number");
            records.size = size;
        } else if (key.starts_with("GNU.sparse.")) {
            records.sparse = true;
        }
    }
    return records;
}

} // namespace lockstep

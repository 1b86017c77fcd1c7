// The 512 bytes before each member of a tar archive, and the records that lengthen them.
#pragma once
#include "base/result.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

inline constexpr std::size_t tar_block = 512;

struct TarHeader {
    std::string path; // from name and, in POSIX archives, prefix
    std::uint64_t size = 0;
    char type = '0';
};

// Checksum and numbers are verified; the error has the reason only.
Result<TarHeader> parse_tar_header(std::string_view block);

// What a pax header says about the member behind it.
struct PaxRecords {
    std::optional<std::string> path;
    std::optional<std::uint64_t> size;
    bool sparse = false; // its bytes are not the file's bytes
};

Result<PaxRecords> parse_pax_records(std::string_view text);

} // namespace lockstep

// Where a symbolic link of the tree leads in the end, and whether it may be followed. Used when listing and again when
// reading.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace lockstep {

// As many links one after the other as the system follows.
inline constexpr int max_links = 40;

struct LinkTarget {
    enum class Kind : std::uint8_t { file, directory, refused } kind = Kind::refused;
    std::string path; // file, directory: relative to the root, with no link in it; "" for the root itself
    std::string why;  // refused: the reason
    int error = 0;    // refused: what the system said, unless that is a property of the link itself
};

// `root` is a path with no link in it, as realpath gives it; `path` is relative to it.
LinkTarget resolve_link(const std::string& root, std::string_view path);

// What a user calls a file that is neither file, folder nor link: `fifo`, `socket`, `device`.
std::string_view special_name(mode_t mode);

} // namespace lockstep

// Members of a .tgz (a packed Helm chart), read without unpacking to disk.
#pragma once
#include "base/result.h"
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct ArchiveMember {
    std::string path;
    std::string text;
};

struct ArchiveLimits {
    std::size_t members = 10000;
    std::size_t expanded_bytes = 64U << 20;
};

// Reads the regular members for which `wanted` says yes; the rest is passed over. Bad gzip, bad tar and exceeded limits
// are errors.
Result<std::vector<ArchiveMember>> read_tgz(std::string_view bytes, const std::function<bool(std::string_view)>& wanted,
                                            const ArchiveLimits& limits = {});

} // namespace lockstep

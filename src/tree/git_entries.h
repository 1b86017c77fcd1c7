// What git lists of a commit or an index: one entry per file, before anything is left out of it.
#pragma once
#include "base/result.h"
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct GitEntry {
    enum class Kind : std::uint8_t { file, link, submodule } kind = Kind::file;
    std::string id;
    std::string path; // below the linted folder
};

// The output of `git ls-tree -r -z` or `git ls-files --stage -z`; entries outside `prefix` are passed over. Sorted.
// The error has the reason only.
Result<std::vector<GitEntry>> parse_git_entries(std::string_view listing, std::string_view prefix);

// Where the links among `entries` lead: the same verdicts as resolve_link gives on disk. `texts` has what each link
// holds, by position; it is empty for what is no link.
struct GitLink {
    enum class Kind : std::uint8_t { file, directory, refused } kind = Kind::refused;
    std::string path;      // directory: what it leads to
    std::size_t entry = 0; // file: whose bytes count
    std::string why;       // refused
};
GitLink resolve_git_link(const std::vector<GitEntry>& entries, const std::vector<std::string>& texts,
                         std::string_view path);

} // namespace lockstep

// The paths that git tracks, read from its index file without git: what is tracked is linted whatever an ignore file
// says, and a plain run starts no other program.
#pragma once
#include "base/result.h"
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct GitIndexPaths {
    std::vector<std::string> paths; // sorted, below the prefix that was asked for; a submodule is one path
    std::string shared_base = {};   // id of the index that this one only amends (git update-index --split-index)
};

// Paths below `prefix` ("" or with its last '/'), without it. The error has the reason only.
Result<GitIndexPaths> parse_git_index(std::string_view bytes, std::string_view prefix);

// The index of the work tree `top`, read when the first question comes. Several threads may ask.
class TrackedPaths {
public:
    // `directory` is where questions count from, relative to the root of the walk; `prefix` is the same below `top`.
    TrackedPaths(std::string git_folder, std::string prefix, std::string directory);
    bool has(std::string_view path);       // a file, or a submodule, relative to the root of the walk
    bool has_below(std::string_view path); // a folder that holds such files, or is a submodule
    const std::optional<Error>& error() const { return error_; }

private:
    const std::vector<std::string>& paths();
    std::optional<std::string_view> below(std::string_view path) const;

    std::string git_folder_, prefix_, directory_;
    std::once_flag once_;
    std::vector<std::string> paths_;
    std::optional<Error> error_;
};

// Where the repository of the work tree `folder` has its own files: `folder`/.git, or what a file of that name leads
// to. Nothing when `folder` is the root of no work tree; the error has the reason only.
Result<std::optional<std::string>> git_folder_of(const std::string& folder);

} // namespace lockstep

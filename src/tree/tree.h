// The repository as a sorted list of files. Listing comes first; bytes are read later, only for files that somebody
// wants.
#pragma once
#include "base/result.h"
#include "base/span.h"
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {

enum class FileState : std::uint8_t {
    listed,     // known to exist, not read
    read,       // bytes are there
    binary,     // has a NUL among its first bytes and is no YAML by name
    oversize,   // larger than the limit
    unreadable, // `why` says what the system said
};

struct File {
    std::string path; // relative to the root, with '/'
    std::string text;
    std::uint64_t size = 0;
    FileState state = FileState::listed;
    std::string why = {};
};

struct Tree {
    std::string root;                 // as the user named it; empty for a tree in memory
    std::vector<File> files;          // sorted by path, bytewise
    std::vector<std::string> skipped; // links out of the root, folders that could not be opened: `path: why`
    std::uint64_t max_file_size = 16ULL << 20;

    std::optional<FileId> find(std::string_view path) const;
    bool has_directory(std::string_view path) const; // "" is the root
};

struct WalkOptions {
    std::vector<std::string> exclude = {}; // globs against the relative path; a match on a folder excludes all below it
    std::uint64_t max_file_size = 16ULL << 20;
    unsigned jobs = 1;
    bool gitignore = true;
};

// Lists every file below `root` that git would not ignore. `.git` is never entered.
Result<Tree> walk(const std::string& root, const WalkOptions& options);

// Fills text and state of one file. Threads may read different files at the same time.
void read_file(const Tree& tree, File& file);

// A tree for tests and fixtures: all files are read already.
Tree tree_in_memory(std::initializer_list<std::pair<std::string, std::string>> files);

// Joins a reference found in `directory` (relative, "" for the root) and normalises `.` and `..`.
// Nothing when the result would leave the root.
std::optional<std::string> join_path(std::string_view directory, std::string_view reference);
std::string_view directory_of(std::string_view path);
std::string_view file_name_of(std::string_view path);

} // namespace lockstep

// The repository as a sorted list of files. Listing comes first; bytes are read later, only for files that somebody
// wants.
#pragma once
#include "base/result.h"
#include "base/span.h"
#include "tree/archive.h"
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
    std::uint64_t size = 0; // known once somebody tried to read it
    FileState state = FileState::listed;
    bool lost = false;     // the system failed over it: a run without its bytes cannot be trusted
    bool link = false;     // a symbolic link to a file inside the root; the bytes are those of its target
    bool manifest = false; // something applies it, whatever its name is: it is read as YAML
    bool indexed = false;  // the index reads it in every run; other files are read when some rule's facts ask for them
    std::string why = {};  // there are no bytes
    std::string blob = {}; // its id in git, when the tree comes from there
};

class GitBlobs;

// Something of the tree that is no file to be read: a link out of the root, a pipe, an ignore file without rights.
struct SkippedEntry {
    std::string path, why;
    auto operator<=>(const SkippedEntry&) const = default;
};

struct Tree {
    std::string root;                  // as the user named it; empty for a tree in memory
    std::vector<File> files;           // sorted by path, bytewise
    std::vector<SkippedEntry> skipped; // sorted
    std::uint64_t max_file_size = 16ULL << 20;
    ArchiveLimits archive = {};
    // Symbolic links to folders inside the root and what they lead to, sorted. They are not entered; a path through one
    // finds the target's file.
    std::vector<std::pair<std::string, std::string>> linked_directories = {};
    // Files and folders that are there but not in the list: excluded by the options, or not to be opened. Sorted.
    std::vector<std::string> unlisted = {};
    std::vector<std::string> brought_in = {}; // of WalkOptions
    std::vector<std::string> submodules = {}; // of a tree from git: they are unlisted too
    std::shared_ptr<GitBlobs> blobs = {};     // of a tree from git: where read_file gets the bytes

    std::optional<FileId> find(std::string_view path) const;
    // The text of a file that every run reads; empty for others, which one set of rules reads and another does not.
    std::string_view indexed_text(FileId file) const {
        return files[file].indexed ? std::string_view(files[file].text) : std::string_view();
    }
    bool has_directory(std::string_view path) const; // "" is the root
    // True for what `unlisted` names and all below it, but for what was brought in: whether such a path exists is not
    // known.
    bool is_unlisted(std::string_view path) const;
};

struct WalkOptions {
    // Globs against the relative path; a match on a folder excludes all below it, one with a last `/` matches folders
    // only.
    std::vector<std::string> exclude = {};
    // Files, and folders with all below them, that count though they are excluded: something applies them. Sorted.
    std::vector<std::string> brought_in = {};
    std::uint64_t max_file_size = 16ULL << 20;
    std::uint64_t max_files = 1'000'000; // files and folders; more of them is an error
    ArchiveLimits archive = {};
    unsigned jobs = 1;
    bool gitignore = true;
};

// Lists every file below `root` that git tracks or would not ignore. `.git` is never entered. A folder that cannot be
// listed is an error: nobody could say what it hides.
Result<Tree> walk(const std::string& root, const WalkOptions& options);

// What is wrong with a root, before anything is listed; nothing when it is a folder.
std::optional<Error> no_folder(const std::string& root);

// Puts what the walk skipped among the files, as unreadable ones with the reason: findings can then be on them.
void list_skipped(Tree& tree);

// Fills text and state of one file. Threads may read different files at the same time.
void read_file(const Tree& tree, File& file);

// Once files were read: the first one that was lost on the way, to the disk or to git.
std::optional<Error> lost_file(const Tree& tree);

// A tree for tests and fixtures: all files are read already.
Tree tree_in_memory(std::initializer_list<std::pair<std::string, std::string>> files);

// Joins a reference found in `directory` (relative, "" for the root) and normalises `.` and `..`.
// Nothing when the result would leave the root.
std::optional<std::string> join_path(std::string_view directory, std::string_view reference);
// Whether a path is one of these, or below one of them; `paths` are sorted.
bool is_in_one_of(const std::vector<std::string>& paths, std::string_view path);
std::string_view directory_of(std::string_view path);
std::string_view file_name_of(std::string_view path);

} // namespace lockstep

// One folder of the walk: what is in it and is neither ignored nor excluded.
#pragma once
#include "base/glob.h"
#include "base/result.h"
#include "tree/git_index.h"
#include "tree/gitignore.h"
#include "tree/tree.h"
#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep {

struct WalkExclude {
    Glob glob;
    bool directories_only;
};

Result<std::vector<WalkExclude>> compile_excludes(const std::vector<std::string>& patterns);
bool is_excluded(const std::vector<WalkExclude>& exclude, std::string_view path, bool is_directory);
// Of what is excluded: whether it counts all the same, or is a folder on the way to what does.
bool is_brought_in(const std::vector<std::string>& brought_in, std::string_view path, bool is_directory);

// What is the same for all folders of a walk.
struct WalkScope {
    int root = -1;         // the open root folder
    std::string real_root; // with no link in it
    std::vector<WalkExclude> exclude;
    std::vector<std::string> brought_in; // of WalkOptions
    bool gitignore = true;
    std::uint64_t max_entries = 1'000'000;
    mutable std::atomic<std::uint64_t> entries = 0; // met so far, by all threads

    bool is_full() const { return entries > max_entries; }
};

struct WalkFolder {
    std::string path; // relative to the root
    std::shared_ptr<const IgnoreScope> ignore;
    std::shared_ptr<TrackedPaths> tracked = {}; // none outside of git
    bool ignored = false;                       // only what git tracks counts in it
    bool excluded = false;                      // only what is brought in counts in it
};

// What one thread has found.
struct WalkPart {
    struct Entry {
        std::string path;
        bool link;
    };
    std::vector<Entry> files;
    std::vector<SkippedEntry> skipped;
    std::vector<SkippedEntry> failed; // what could not be listed: the walk cannot be trusted
    std::vector<std::string> unlisted;
    std::vector<std::shared_ptr<TrackedPaths>> repositories; // below the root: submodules, clones
    std::vector<std::pair<std::string, std::string>> linked_directories;
};

// The folders below it that are to be listed next. Safe to call from several threads, each with its own `found`.
std::vector<WalkFolder> list_folder(const WalkScope& walk, const WalkFolder& folder, WalkPart& found);

// A run over so many files would not come to an end; `root` as the user named it.
Error too_many_files(const std::string& root, std::uint64_t limit);

// The scope of one ignore file, `name` in the open folder `fd`; `outer` itself when it has no rules or cannot be read.
// `shown` is what a skipped one is called.
std::shared_ptr<const IgnoreScope> with_ignore_file(std::shared_ptr<const IgnoreScope> outer,
                                                    const std::string& directory, int fd, const std::string& name,
                                                    const std::string& shown, WalkPart& found);

} // namespace lockstep

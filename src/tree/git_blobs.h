// The contents of blobs by their ids, for files of a tree that git holds: several threads may ask at the same time.
#pragma once
#include "tree/file_bytes.h"
#include "tree/git_process.h"
#include <mutex>
#include <string>
#include <vector>

namespace lockstep {

class GitBlobs {
public:
    explicit GitBlobs(GitScope scope) : scope_(std::move(scope)) {}
    // `oversize` costs no more than the blob's header. `why` of a failed one is for the user.
    FileBytes read(const std::string& id, std::uint64_t limit);

private:
    GitScope scope_;
    std::mutex mutex_;
    std::vector<GitProcess> idle_; // `git cat-file --batch`, each between two answers
};

} // namespace lockstep

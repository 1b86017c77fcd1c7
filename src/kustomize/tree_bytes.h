// The bytes of a tree's files for kustomize, which reads pictures and archives too: generators put them into objects.
#pragma once
#include "tree/tree.h"
#include <mutex>
#include <unordered_map>

namespace lockstep {

// For several threads at a time. The tree must outlive it.
class TreeBytes {
public:
    explicit TreeBytes(Tree& tree) : tree_(tree) {}
    // A file that nobody asked for yet is read now. What it returns stays where it is.
    std::string_view of(FileId file);

private:
    Tree& tree_;
    std::mutex reading_;
    std::unordered_map<FileId, std::string> binary_; // the tree keeps no bytes of these
};

} // namespace lockstep

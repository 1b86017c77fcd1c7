// Paths that are not in the tree because git leaves them out: ignored ones, and those of submodules.
#pragma once
#include "index/text_of_file.h"
#include "tree/gitignore.h"
#include <map>

namespace lockstep {

// The ignore files of a tree, for paths that are not there: those that the rule's own facts ask for.
class IgnoredPaths {
public:
    IgnoredPaths(const Tree& tree, const TextOfFile& text_of);
    bool covers(std::string_view path) const;
    // The same for a path that the file `from` names. Rules that would leave out that file too are about all and
    // nothing: git tracks it none the less, and they say nothing of files that are made locally.
    bool covers(std::string_view path, std::string_view from) const { return covers(path) && !covers(from); }

private:
    std::optional<bool> verdict(std::string_view path, bool is_directory) const;
    std::map<std::string, IgnoreRules, std::less<>> rules_; // by folder
};

// Paths of submodules by .gitmodules, which the rule must have as a fact: git lists them, their files are elsewhere.
std::vector<std::string> submodules_of(const Tree& tree, const TextOfFile& text_of);

} // namespace lockstep

// What paths alone tell a check: whether git would ignore one, and whether it stands among samples.
#pragma once
#include "rules/check.h"
#include "tree/gitignore.h"
#include "tree/tree.h"
#include <map>

namespace lockstep {

// The ignore files of a tree, for paths that are not there: those that the rule's own facts ask for.
class IgnoredPaths {
public:
    explicit IgnoredPaths(const CheckInput& input);
    bool covers(std::string_view path) const;
    // The same for a path that the file `from` names. Rules that would leave out that file too are about all and
    // nothing: git tracks it none the less, and they say nothing of files that are made locally.
    bool covers(std::string_view path, std::string_view from) const { return covers(path) && !covers(from); }

private:
    std::optional<bool> verdict(std::string_view path, bool is_directory) const;
    std::map<std::string, IgnoreRules, std::less<>> rules_; // by folder
};

// Paths of submodules by .gitmodules, which the rule must have as a fact: git lists them, their files are elsewhere.
std::vector<std::string> submodules_of(const CheckInput& input);
// Scripts, files of make and just, and those of Terraform.
bool is_script_path(std::string_view path);
// Below `testdata/` or `fixtures/`: may be wrong on purpose.
bool is_test_data(std::string_view path);
// Test data, and what stands below `examples/`, `testdata/`, `.archive/` and the like: kept to be read, not to be
// applied.
bool is_sample_path(std::string_view path);

} // namespace lockstep

// What paths alone tell a check: whether git would ignore one, and whether it stands among samples.
#pragma once
#include "tree/gitignore.h"
#include "tree/tree.h"
#include <map>

namespace lockstep {

// The ignore files of a tree, for paths that are not there: only those count that some rule had read.
class IgnoredPaths {
public:
    explicit IgnoredPaths(const Tree& tree);
    bool covers(std::string_view path) const;

private:
    std::optional<bool> verdict(std::string_view path, bool is_directory) const;
    std::map<std::string, IgnoreRules, std::less<>> rules_; // by folder
};

// Below `testdata/` or `fixtures/`: may be wrong on purpose.
bool is_test_data(std::string_view path);
// Test data, and what stands below `examples/`, `testdata/`, `.archive/` and the like: kept to be read, not to be
// applied.
bool is_sample_path(std::string_view path);

} // namespace lockstep

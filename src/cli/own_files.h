// Where a run takes the files that steer it from (config, rules, baseline): the disk, the index, or the base revision.
#pragma once
#include "rules/ruleset.h"
#include "tree/git_repository.h"
#include <functional>
#include <optional>

namespace lockstep {

struct OwnFiles {
    // Nothing when there is no such file.
    std::function<Result<std::optional<std::string>>(const std::string& path)> file;
    // The rule files below a folder, called by `shown_as` and their path; none when there is no such folder and it
    // was not named by the user.
    std::function<Result<std::vector<RuleFile>>(const std::string& folder, const std::string& shown_as, bool named)>
        rules;
};

OwnFiles own_files_on_disk();
// The same paths as git holds them in a commit or, without one, in the index. What stands outside the repository comes
// from the disk: no change of the repository can touch it.
OwnFiles own_files_in_git(const GitRepository& repository, const std::optional<GitCommit>& commit);

} // namespace lockstep

// The git repository around a linted folder, and the commits a change is compared with.
#pragma once
#include "tree/git_process.h"
#include "tree/tree.h"

namespace lockstep {

struct GitRepository {
    GitScope scope;     // works in the linted folder
    std::string prefix; // of the linted folder below the work tree's root, with its last '/'; "" for the root itself
    std::string top;    // the work tree's root, with no link in it
    bool shallow = false;
};

// `folder` is in the work tree of a repository; everything else is an error that says what to do.
Result<GitRepository> find_git_repository(const std::string& folder);

struct GitCommit {
    std::string id;    // empty: before the first commit, a tree without files
    std::string shown; // for the user: `1a2b3c4d5e6f, where HEAD left main`
};

// What `revision` names, or the commit where HEAD left it.
Result<GitCommit> find_base_commit(const GitRepository& repository, const std::string& revision, bool exact);
Result<GitCommit> find_head_commit(const GitRepository& repository); // HEAD itself, which may have no commit yet

// The linted folder as a commit, or the index, holds it: the same excludes, limits and links as walk(). All of it is
// tracked, so ignore files have no say.
// Submodules and what is below them are unlisted. The bytes of a file come from git when read_file asks for them.
Result<Tree> git_tree(const GitRepository& repository, const GitCommit& commit, const WalkOptions& options);
Result<Tree> index_tree(const GitRepository& repository, const WalkOptions& options);

// What a sparse checkout leaves out of the folder is not known to be gone: it becomes unlisted in a tree of the base.
std::optional<Error> leave_out_sparse(const GitRepository& repository, Tree& base);

// The index that a hook's GIT_INDEX_FILE names, else the repository's own.
GitRepository with_caller_index(GitRepository repository);

} // namespace lockstep

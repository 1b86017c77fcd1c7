// Finds repository and commits by asking git, and puts what git answers into words.
#include "tree/git_repository.h"
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace lockstep {

namespace {

Error no_repository(const std::string& folder, const std::string& complaint) {
    auto has = [&](std::string_view words) { return complaint.find(words) != std::string::npos; };
    if (has("dubious ownership"))
        return {"git does not trust this repository: it belongs to another user",
                folder,
                {0, 0},
                "if you trust it: git config --global --add safe.directory '" +
                    std::filesystem::absolute(folder).lexically_normal().string() + "'"};
    if (has("must be run in a work tree"))
        return {"this is a bare repository or a .git folder: there are no files to lint",
                folder,
                {0, 0},
                "name a folder where it is checked out; git worktree add makes one"};
    if (has("not a git repository"))
        return {"is in no git repository, so there is nothing to compare with",
                folder,
                {0, 0},
                "--base, --staged and `lockstep diff` need a git repository"};
    return {"git cannot read this repository: " + complaint, folder, {0, 0}, "try git status and git fsck there"};
}

// Lines of rev-parse: `shallow`, prefix, root. Paths may hold line breaks; the linted folder, which is root and prefix
// together, tells where one ends.
std::optional<std::string> prefix_in(std::string_view lines, const std::string& real) {
    if (!lines.ends_with('\n')) return std::nullopt;
    lines.remove_suffix(1);
    for (auto end = lines.find('\n'); end != std::string_view::npos; end = lines.find('\n', end + 1)) {
        std::string joined(lines.substr(end + 1));
        if (!joined.ends_with('/')) joined += '/';
        joined += lines.substr(0, end);
        if (joined == real || joined == real + "/") return std::string(lines.substr(0, end));
    }
    return std::nullopt;
}

constexpr const char* fetch_all =
    "fetch the history: `fetch-depth: 0` at actions/checkout, GIT_DEPTH: 0 in GitLab CI, or git fetch --unshallow";

std::string short_id(const std::string& id) {
    return id.substr(0, 12);
}

// Empty when there is none.
Result<std::string> commit_of(const GitRepository& repository, const std::string& name) {
    auto answer =
        run_git(repository.scope, {"rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}"});
    if (!answer) return answer.error();
    std::string id = std::move(answer->out);
    while (id.ends_with('\n'))
        id.pop_back();
    const bool whole = answer->exit_code == 0 && id.find_first_not_of("0123456789abcdef") == std::string::npos;
    return whole ? id : std::string();
}

Result<std::string> commit_id(const GitRepository& repository, const std::string& revision) {
    auto id = commit_of(repository, revision);
    if (!id) return id.error();
    // git prefers a tag to a branch of the same name, and whoever may push a tag would choose the base.
    if (const auto tag = commit_of(repository, "refs/tags/" + revision); tag && !tag->empty())
        for (const char* kind : {"refs/heads/", "refs/remotes/"})
            if (const auto branch = commit_of(repository, kind + revision);
                branch && !branch->empty() && *branch != *tag)
                return Error{"`" + revision + "` is a branch and a tag, and they differ",
                             repository.scope.folder,
                             {0, 0},
                             "name the one that is meant in full: " + std::string(kind) + revision};
    if (!id->empty()) return id;
    std::string hint = "fetch it first, for example: git fetch origin main";
    if (repository.shallow) hint += std::string("; this clone is shallow: ") + fetch_all;
    return Error{"there is no commit `" + revision + "` in this clone", repository.scope.folder, {0, 0}, hint};
}

} // namespace

Result<GitRepository> find_git_repository(const std::string& folder) {
    GitRepository repository;
    repository.scope.folder = folder;
    auto answer =
        run_git(repository.scope, {"rev-parse", "--is-shallow-repository", "--show-prefix", "--show-toplevel"});
    if (!answer) return answer.error();
    if (answer->exit_code != 0) return no_repository(folder, answer->complaint);
    std::unique_ptr<char, decltype(&std::free)> real(::realpath(folder.c_str(), nullptr), &std::free);
    std::string_view lines = answer->out;
    repository.shallow = lines.starts_with("true\n");
    lines.remove_prefix(std::min(lines.find('\n') + 1, lines.size()));
    auto prefix = real ? prefix_in(lines, real.get()) : std::nullopt;
    if (!prefix)
        return Error{"the repository here has its work tree somewhere else",
                     folder,
                     {0, 0},
                     "core.worktree of its config names another folder; lint that one"};
    repository.prefix = std::move(*prefix);
    repository.top = real.get();
    repository.top.resize(repository.top.size() - repository.prefix.size()); // one has the slash between, one the last
    if (repository.top.empty()) repository.top = "/";
    return repository;
}

GitRepository with_caller_index(GitRepository repository) {
    const char* file = std::getenv("GIT_INDEX_FILE");
    if (!file || !*file) return repository;
    std::filesystem::path path = file;
    // git counts from the root of the work tree
    repository.scope.index_file = path.is_relative() ? (std::filesystem::path(repository.top) / path).string() : file;
    return repository;
}

Result<GitCommit> find_head_commit(const GitRepository& repository) {
    auto answer = run_git(repository.scope, {"rev-parse", "--verify", "--quiet", "HEAD^{commit}"});
    if (!answer) return answer.error();
    std::string id = std::move(answer->out);
    while (id.ends_with('\n'))
        id.pop_back();
    if (answer->exit_code == 0) return GitCommit{id, short_id(id) + ", which is HEAD"};
    // A branch without a commit has a name; a HEAD that leads to a lost commit is another matter.
    auto born = run_git(repository.scope, {"rev-parse", "--verify", "--quiet", "HEAD"});
    if (!born) return born.error();
    if (born->exit_code == 0)
        return Error{
            "the commit of HEAD cannot be read", repository.scope.folder, {0, 0}, "git fsck says what is lost"};
    return GitCommit{"", "nothing: there is no commit yet"};
}

Result<GitCommit> find_base_commit(const GitRepository& repository, const std::string& revision, bool exact) {
    if (revision.empty() || revision.starts_with('-'))
        return Error{"`" + revision + "` is not a revision", {}, {0, 0}, "name a branch, a tag or a commit"};
    auto named = commit_id(repository, revision);
    if (!named) return named.error();
    if (exact) return GitCommit{*named, short_id(*named) + ", which is " + revision};
    auto head = find_head_commit(repository);
    if (!head) return head.error();
    if (head->id.empty())
        return Error{"there is no commit yet, so HEAD left " + revision + " nowhere",
                     repository.scope.folder,
                     {0, 0},
                     "--base-exact compares with the revision itself"};
    auto answer = run_git(repository.scope, {"merge-base", "--end-of-options", *named, head->id});
    if (!answer) return answer.error();
    std::string id = answer->out.substr(0, answer->out.find('\n'));
    if (answer->exit_code == 0 && !id.empty())
        return GitCommit{id,
                         short_id(id) + (id == *named ? ", which is " + revision : ", where HEAD left " + revision)};
    if (answer->exit_code > 1)
        return Error{"git cannot compare " + revision + " and HEAD: " + answer->complaint,
                     repository.scope.folder,
                     {0, 0},
                     "git fsck says what is wrong"};
    if (repository.shallow)
        return Error{"this clone is shallow: the commit where HEAD left " + revision + " is not in it",
                     repository.scope.folder,
                     {0, 0},
                     std::string(fetch_all) + "; --base-exact compares with the revision itself"};
    return Error{revision + " and HEAD have no history in common",
                 repository.scope.folder,
                 {0, 0},
                 "--base-exact compares with the revision itself"};
}

} // namespace lockstep

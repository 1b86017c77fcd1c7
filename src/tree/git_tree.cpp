// A commit or the index as a tree: the same files that walk() would list if it were checked out.
#include "tree/git_blobs.h"
#include "tree/git_entries.h"
#include "tree/git_repository.h"
#include "tree/list.h"
#include <algorithm>
#include <fcntl.h>
#include <unistd.h>
#include <unordered_map>

namespace lockstep {

namespace {

constexpr std::uint64_t max_ignore_file = 4U << 20;
constexpr std::uint64_t max_link_text = 4096;
constexpr const char* missing_objects =
    "lockstep fetches nothing: a partial clone needs git fetch --refetch --no-filter first; git fsck finds damage";

// Folders are judged once, before what is in them.
class Sieve {
public:
    Sieve(const std::vector<GitEntry>& entries, std::vector<WalkExclude> exclude, Tree& tree, bool gitignore)
        : entries_(entries), exclude_(std::move(exclude)), tree_(tree), gitignore_(gitignore) {}

    // The rules of .git/info/exclude, then those of the root folder.
    void start(std::shared_ptr<const IgnoreScope> outer) { folders_[""] = {true, scope_in("", std::move(outer))}; }

    // An ignore file that git could not give.
    const std::string& lost() const { return lost_; }

    bool takes(const std::string& path) {
        const Folder& folder = folder_of(std::string(directory_of(path)));
        return folder.taken && takes(folder, path, false);
    }

private:
    struct Folder {
        bool taken = false;
        std::shared_ptr<const IgnoreScope> scope;
    };

    bool takes(const Folder& folder, const std::string& path, bool is_directory) {
        if (is_ignored(folder.scope.get(), path, is_directory)) return false;
        if (!is_excluded(exclude_, path, is_directory)) return true;
        tree_.unlisted.push_back(path);
        return false;
    }

    // From the outside in, without recursion: a hostile tree may be deep.
    const Folder& folder_of(const std::string& path) {
        if (const auto known = folders_.find(path); known != folders_.end()) return known->second;
        const Folder* outer = &folders_[""];
        for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
            std::string head = path.substr(0, end);
            auto [slot, fresh] = folders_.try_emplace(head);
            if (fresh && outer->taken && takes(*outer, head, true)) slot->second = {true, scope_in(head, outer->scope)};
            outer = &slot->second;
            if (end == std::string::npos) return *outer;
        }
    }

    std::shared_ptr<const IgnoreScope> scope_in(const std::string& directory,
                                                std::shared_ptr<const IgnoreScope> outer) {
        const std::string path = directory.empty() ? ".gitignore" : directory + "/.gitignore";
        const auto it =
            std::lower_bound(entries_.begin(), entries_.end(), path,
                             [](const GitEntry& entry, const std::string& wanted) { return entry.path < wanted; });
        if (!gitignore_ || it == entries_.end() || it->path != path || it->kind != GitEntry::Kind::file) return outer;
        const FileBytes bytes = tree_.blobs->read(it->id, max_ignore_file);
        if (bytes.outcome != FileBytes::Outcome::read) {
            tree_.skipped.push_back(
                path + ": its rules do not count: " + (bytes.why.empty() ? "it has more than 4 MiB" : bytes.why));
            return outer;
        }
        IgnoreRules rules(bytes.text);
        if (rules.empty()) return outer;
        return std::make_shared<const IgnoreScope>(IgnoreScope{directory, std::move(rules), std::move(outer)});
    }

    const std::vector<GitEntry>& entries_;
    std::vector<WalkExclude> exclude_;
    Tree& tree_;
    bool gitignore_;
    std::string lost_;
    std::unordered_map<std::string, Folder> folders_; // its values stay where they are
};

// As walk() has it: only where the linted folder is the root of the work tree.
std::shared_ptr<const IgnoreScope> own_ignores(const std::string& folder) {
    const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return nullptr;
    std::shared_ptr<const IgnoreScope> scope;
    WalkPart unused;
    if (::faccessat(fd, ".git/info/exclude", F_OK, 0) == 0)
        scope = with_ignore_file(nullptr, "", fd, ".git/info/exclude", unused);
    ::close(fd);
    return scope;
}

std::vector<std::string> link_texts(const std::vector<GitEntry>& entries, GitBlobs& blobs) {
    std::vector<std::string> texts(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (entries[i].kind == GitEntry::Kind::link) texts[i] = blobs.read(entries[i].id, max_link_text).text;
    return texts;
}

void add_link(const std::vector<GitEntry>& entries, const std::vector<std::string>& texts, const GitEntry& entry,
              Tree& tree) {
    GitLink link = resolve_git_link(entries, texts, entry.path);
    if (link.kind == GitLink::Kind::refused) tree.skipped.push_back(entry.path + ": " + link.why);
    if (link.kind == GitLink::Kind::directory) tree.linked_directories.emplace_back(entry.path, std::move(link.path));
    if (link.kind != GitLink::Kind::file) return;
    File& file = tree.files.emplace_back();
    file.path = entry.path;
    file.blob = entries[link.entry].id;
    file.link = true;
}

Result<Tree> tree_of(const GitRepository& repository, std::string_view listing, std::string_view prefix,
                     const WalkOptions& options) {
    auto entries = parse_git_entries(listing, prefix);
    if (!entries)
        return Error{entries.error().message, repository.scope.folder, {0, 0}, "git status shows what is to be done"};
    if (entries->size() > options.max_files) return too_many_files(repository.scope.folder, options.max_files);
    auto excludes = compile_excludes(options.exclude);
    if (!excludes) return excludes.error();
    Tree tree;
    tree.root = repository.scope.folder;
    tree.max_file_size = options.max_file_size;
    tree.archive = options.archive;
    tree.blobs = std::make_shared<GitBlobs>(repository.scope);
    Sieve sieve(*entries, std::move(*excludes), tree, options.gitignore);
    sieve.start(options.gitignore ? own_ignores(repository.scope.folder) : nullptr);
    const std::vector<std::string> texts = link_texts(*entries, *tree.blobs);
    tree.files.reserve(entries->size());
    for (const GitEntry& entry : *entries) {
        if (!sieve.takes(entry.path)) continue;
        if (entry.kind == GitEntry::Kind::link) {
            add_link(*entries, texts, entry, tree);
        } else if (entry.kind == GitEntry::Kind::submodule) {
            tree.submodules.push_back(entry.path);
            tree.unlisted.push_back(entry.path);
        } else {
            File& file = tree.files.emplace_back();
            file.path = entry.path;
            file.blob = entry.id;
        }
    }
    if (!sieve.lost().empty())
        return Error{"cannot be read from git: " + sieve.lost(), repository.scope.folder, {0, 0}, missing_objects};
    std::sort(tree.skipped.begin(), tree.skipped.end());
    std::sort(tree.unlisted.begin(), tree.unlisted.end());
    return tree;
}

} // namespace

Result<Tree> git_tree(const GitRepository& repository, const GitCommit& commit, const WalkOptions& options) {
    if (commit.id.empty()) return tree_of(repository, {}, {}, options);
    std::vector<std::string> arguments = {"ls-tree", "-r", "-z", "--full-tree", commit.id};
    if (!repository.prefix.empty()) arguments.push_back(repository.prefix);
    auto answer = run_git(repository.scope, arguments, options.max_files);
    if (!answer) return answer.error();
    if (answer->cut) return too_many_files(repository.scope.folder, options.max_files);
    if (answer->exit_code != 0)
        return Error{"git cannot list the files of " + commit.shown + ": " + answer->complaint,
                     repository.scope.folder,
                     {0, 0},
                     missing_objects};
    return tree_of(repository, answer->out, repository.prefix, options);
}

Result<Tree> index_tree(const GitRepository& repository, const WalkOptions& options) {
    auto answer = run_git(repository.scope, {"ls-files", "--stage", "-z"}, options.max_files); // below its folder
    if (!answer) return answer.error();
    if (answer->cut) return too_many_files(repository.scope.folder, options.max_files);
    if (answer->exit_code != 0)
        return Error{"git cannot list the index: " + answer->complaint,
                     repository.scope.folder,
                     {0, 0},
                     "git status says what is wrong with it"};
    return tree_of(repository, answer->out, {}, options);
}

std::optional<Error> lost_blob(const Tree& tree) {
    for (const File& file : tree.files)
        if (tree.blobs && file.state == FileState::unreadable && !file.blob.empty())
            return Error{"cannot be read from git: " + file.why, file.path, {0, 0}, missing_objects};
    return std::nullopt;
}

std::optional<Error> leave_out_sparse(const GitRepository& repository, Tree& base) {
    auto answer = run_git(repository.scope, {"ls-files", "-t", "-z"}); // `S path` for a file that is not checked out
    if (!answer) return answer.error();
    if (answer->exit_code != 0) return std::nullopt; // a broken index has no say in what the base holds
    std::vector<std::string> sparse;
    for (std::string_view rest = answer->out; !rest.empty();) {
        const std::string_view record = rest.substr(0, rest.find('\0'));
        rest.remove_prefix(std::min(record.size() + 1, rest.size()));
        if (record.starts_with("S ")) sparse.emplace_back(record.substr(2));
    }
    if (sparse.empty()) return std::nullopt;
    std::sort(sparse.begin(), sparse.end());
    std::erase_if(base.files, [&](const File& file) {
        const bool out = std::binary_search(sparse.begin(), sparse.end(), file.path);
        if (out) base.unlisted.push_back(file.path);
        return out;
    });
    std::sort(base.unlisted.begin(), base.unlisted.end());
    return std::nullopt;
}

} // namespace lockstep

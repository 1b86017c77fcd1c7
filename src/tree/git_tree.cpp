// A commit or the index as a tree: the same files that walk() would list if it were checked out.
#include "tree/git_blobs.h"
#include "tree/git_entries.h"
#include "tree/git_repository.h"
#include "tree/list.h"
#include <algorithm>
#include <unordered_map>

namespace lockstep {

namespace {

constexpr std::uint64_t max_link_text = 4096;
constexpr const char* missing_objects =
    "lockstep fetches nothing: a partial clone needs git fetch --refetch --no-filter first; git fsck finds damage";

// Folders are judged once, before what is in them. All that git holds is tracked, so no ignore file has a say.
class Sieve {
public:
    Sieve(std::vector<WalkExclude> exclude, Tree& tree) : exclude_(std::move(exclude)), tree_(tree) {
        folders_[""] = true;
    }

    bool takes(const std::string& path) {
        if (is_in_one_of(tree_.brought_in, path)) return true;
        return folder_is_taken(std::string(directory_of(path))) && takes(path, false);
    }

private:
    bool takes(const std::string& path, bool is_directory) {
        if (!is_excluded(exclude_, path, is_directory)) return true;
        tree_.unlisted.push_back(path);
        return false;
    }

    // From the outside in, without recursion: a hostile tree may be deep.
    bool folder_is_taken(const std::string& path) {
        if (const auto known = folders_.find(path); known != folders_.end()) return known->second;
        bool outer = true;
        for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
            std::string head = path.substr(0, end);
            auto [slot, fresh] = folders_.try_emplace(head, false);
            if (fresh) slot->second = outer && takes(head, true);
            outer = slot->second;
            if (end == std::string::npos) return outer;
        }
    }

    std::vector<WalkExclude> exclude_;
    Tree& tree_;
    std::unordered_map<std::string, bool> folders_;
};

Result<std::vector<std::string>> link_texts(const std::vector<GitEntry>& entries, GitBlobs& blobs) {
    std::vector<std::string> texts(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (entries[i].kind != GitEntry::Kind::link) continue;
        FileBytes bytes = blobs.read(entries[i].id, max_link_text);
        if (bytes.outcome == FileBytes::Outcome::failed)
            return Error{"cannot be read from git: " + bytes.why, entries[i].path, {0, 0}, missing_objects};
        texts[i] = std::move(bytes.text);
    }
    return texts;
}

void add_link(const std::vector<GitEntry>& entries, const std::vector<std::string>& texts, const GitEntry& entry,
              Tree& tree) {
    GitLink link = resolve_git_link(entries, texts, entry.path);
    if (link.kind == GitLink::Kind::refused) tree.skipped.push_back({entry.path, std::move(link.why)});
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
    tree.brought_in = options.brought_in;
    tree.blobs = std::make_shared<GitBlobs>(repository.scope);
    Sieve sieve(std::move(*excludes), tree);
    const auto texts = link_texts(*entries, *tree.blobs);
    if (!texts) return texts.error();
    tree.files.reserve(entries->size());
    for (const GitEntry& entry : *entries) {
        if (!sieve.takes(entry.path)) continue;
        if (entry.kind == GitEntry::Kind::link) {
            add_link(*entries, *texts, entry, tree);
        } else if (entry.kind == GitEntry::Kind::submodule) {
            tree.submodules.push_back(entry.path);
            tree.unlisted.push_back(entry.path);
        } else {
            File& file = tree.files.emplace_back();
            file.path = entry.path;
            file.blob = entry.id;
        }
    }
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

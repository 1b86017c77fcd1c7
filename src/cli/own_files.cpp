// Reads config and rules by name, from the disk or out of git.
#include "cli/own_files.h"
#include "cli/files.h"
#include <filesystem>
#include <memory>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

bool is_rule_file(std::string_view path) {
    return path.ends_with(".yaml") || path.ends_with(".yml");
}

Result<RuleFile> rule_file(const Tree& tree, File& file, std::string shown_as) {
    read_file(tree, file);
    if (file.state == FileState::read) return RuleFile{std::move(shown_as), file.text};
    return Error{"cannot read the rule file: " + why_unread(file), std::move(shown_as), {0, 0}, {}};
}

Result<std::vector<RuleFile>> rules_on_disk(const std::string& folder, const std::string& shown_as, bool named) {
    std::vector<RuleFile> files;
    if (std::error_code ignored; !named && !fs::is_directory(folder, ignored)) return files;
    if (!named) // nobody asked for it by name, so it must not lead out of the repository
        for (const fs::path& part : {fs::path(folder), fs::path(folder).parent_path()})
            if (std::error_code ignored; fs::is_symlink(part, ignored))
                return Error{"is a link: rules of a repository are read from the repository itself",
                             part.string(),
                             {0, 0},
                             "name the folder with --rules"};
    WalkOptions options;
    options.gitignore = false;
    auto tree = walk(folder, options);
    if (!tree) return tree.error();
    for (File& file : tree->files) {
        if (!is_rule_file(file.path)) continue;
        auto read = rule_file(*tree, file, shown_as + "/" + file.path);
        if (!read) return read.error();
        files.push_back(std::move(*read));
    }
    return files;
}

// The whole repository as git holds it, listed when the first file is asked for.
struct Held {
    GitRepository repository;
    std::optional<GitCommit> commit;
    std::string top;
    std::optional<Result<Tree>> tree;

    Result<Tree>& list() {
        WalkOptions options;
        options.gitignore = false;
        if (!tree) tree = commit ? git_tree(repository, *commit, options) : index_tree(repository, options);
        return *tree;
    }
    // Below the repository's root; nothing when it is outside. Links on the way to the repository are followed, those
    // in it are not: a change may have put them there.
    std::optional<std::string> inside(const std::string& path) const {
        std::error_code ignored;
        const fs::path whole = fs::absolute(path, ignored).lexically_normal();
        fs::path at, below;
        bool entered = false;
        for (const fs::path& part : whole) {
            if (entered) {
                below /= part;
                continue;
            }
            at /= part;
            below = fs::weakly_canonical(at, ignored).lexically_relative(top);
            entered = !below.empty() && *below.begin() != "..";
        }
        if (!entered) return std::nullopt;
        std::string text = below.lexically_normal().generic_string();
        while (text.ends_with('/'))
            text.pop_back();
        return text;
    }
    std::string name() const { return commit ? "the base" : "the index"; }
};

Result<std::optional<std::string>> file_in_git(Held& held, const std::string& path) {
    const auto below = held.inside(path);
    if (!below) return read_own_file(path);
    auto& tree = held.list();
    if (!tree) return tree.error();
    const auto id = tree->find(*below);
    if (!id) return std::optional<std::string>();
    File& file = tree->files[*id];
    read_file(*tree, file);
    if (file.state == FileState::read) return std::optional(file.text);
    return Error{"cannot read the file in " + held.name() + ": " + why_unread(file), path, {0, 0}, {}};
}

Result<std::vector<RuleFile>> rules_in_git(Held& held, const std::string& folder, const std::string& shown_as,
                                           bool named) {
    const auto below = held.inside(folder);
    if (!below) return rules_on_disk(folder, shown_as, named);
    auto& tree = held.list();
    if (!tree) return tree.error();
    if (named && !tree->has_directory(*below))
        return Error{"there is no such folder in " + held.name(), folder, {0, 0}, {}};
    const std::string prefix = *below == "." ? std::string() : *below + "/";
    std::vector<RuleFile> files;
    for (File& file : tree->files) {
        if (!file.path.starts_with(prefix) || !is_rule_file(file.path)) continue;
        auto read = rule_file(*tree, file, shown_as + "/" + file.path.substr(prefix.size()));
        if (!read) return read.error();
        files.push_back(std::move(*read));
    }
    return files;
}

} // namespace

OwnFiles own_files_on_disk() {
    return {read_own_file, rules_on_disk};
}

OwnFiles own_files_in_git(const GitRepository& repository, const std::optional<GitCommit>& commit) {
    auto held = std::make_shared<Held>();
    held->repository = repository;
    held->repository.prefix.clear();
    held->repository.scope.folder = repository.top;
    held->commit = commit;
    held->top = repository.top;
    return {[held](const std::string& path) { return file_in_git(*held, path); },
            [held](const std::string& folder, const std::string& shown_as, bool named) {
                return rules_in_git(*held, folder, shown_as, named);
            }};
}

} // namespace lockstep

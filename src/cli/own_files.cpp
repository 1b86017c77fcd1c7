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

// Rules are read in full or not at all: a guard that lost some of them would stay silent.
Error not_whole(const std::string& path, const std::string& why) {
    return {
        "rules cannot be read in full here: " + why, path, {0, 0}, "a folder of rules holds plain files and folders"};
}

constexpr std::string_view linked = "a link; rules of a repository are read from the repository itself";

// Folders that nobody named must not lead out of the repository. Nothing when they are not there.
Result<bool> own_rules_are_there(const fs::path& folder) {
    for (const fs::path& part : {folder.parent_path(), folder}) {
        std::error_code bad;
        const fs::file_status status = fs::symlink_status(part, bad);
        if (status.type() == fs::file_type::not_found) return false;
        if (bad) return not_whole(part.string(), bad.message());
        if (status.type() == fs::file_type::symlink) return not_whole(part.string(), std::string(linked));
        if (status.type() != fs::file_type::directory) return not_whole(part.string(), "it is not a folder");
    }
    return true;
}

Result<std::vector<RuleFile>> rules_on_disk(const std::string& folder, const std::string& shown_as, bool named) {
    std::vector<RuleFile> files;
    if (!named) {
        const auto there = own_rules_are_there(folder);
        if (!there) return there.error();
        if (!*there) return files;
    }
    WalkOptions options;
    options.gitignore = false;
    auto tree = walk(folder, options);
    if (!tree) return tree.error();
    if (!tree->skipped.empty())
        return not_whole(shown_as + "/" + tree->skipped.front().path, tree->skipped.front().why);
    if (!tree->linked_directories.empty())
        return not_whole(shown_as + "/" + tree->linked_directories.front().first, std::string(linked));
    for (File& file : tree->files) {
        if (file.link) return not_whole(shown_as + "/" + file.path, std::string(linked));
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
    Result<std::optional<std::string>> inside(const std::string& path) const {
        std::error_code bad;
        const fs::path whole = fs::absolute(path, bad).lexically_normal();
        fs::path at, below;
        bool entered = false;
        for (const fs::path& part : whole) {
            if (entered) {
                below /= part;
                continue;
            }
            at /= part;
            if (!bad) below = fs::weakly_canonical(at, bad).lexically_relative(top);
            if (bad) return Error{"cannot tell where this is: " + bad.message(), path, {0, 0}, {}};
            entered = !below.empty() && *below.begin() != "..";
        }
        if (!entered) return std::optional<std::string>();
        std::string text = below.lexically_normal().generic_string();
        while (text.ends_with('/'))
            text.pop_back();
        return std::optional(text);
    }
    std::string name() const { return commit ? "the base" : "the index"; }
};

Result<std::optional<std::string>> file_in_git(Held& held, const std::string& path) {
    const auto found = held.inside(path);
    if (!found) return found.error();
    const auto& below = *found;
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
    const auto found = held.inside(folder);
    if (!found) return found.error();
    const auto& below = *found;
    if (!below) return rules_on_disk(folder, shown_as, named);
    auto& tree = held.list();
    if (!tree) return tree.error();
    if (named && !tree->has_directory(*below))
        return Error{"there is no such folder in " + held.name(), folder, {0, 0}, {}};
    const std::string prefix = *below == "." ? std::string() : *below + "/";
    // What is neither file nor folder: in the folder, or itself a part of the way to it.
    const auto concerns = [&](const std::string& path) {
        return path.starts_with(prefix) || path + "/" == prefix || prefix.starts_with(path + "/");
    };
    for (const SkippedEntry& entry : tree->skipped)
        if (concerns(entry.path)) return not_whole(entry.path, entry.why);
    for (const auto& [path, target] : tree->linked_directories)
        if (concerns(path)) return not_whole(path, std::string(linked));
    for (const std::string& path : tree->submodules)
        if (concerns(path)) return not_whole(path, "a submodule");
    std::vector<RuleFile> files;
    for (File& file : tree->files) {
        if (file.link && concerns(file.path)) return not_whole(file.path, std::string(linked));
        if (!named && !prefix.empty() && prefix.starts_with(file.path + "/"))
            return not_whole(file.path, "it is not a folder");
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

// Reads a folder without a stat per file where the system tells types by itself, and follows no link.
#include "tree/list.h"
#include "tree/file_bytes.h"
#include "tree/link.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lockstep {

namespace {

constexpr std::uint64_t max_ignore_file = 4U << 20;

struct Entry {
    std::string name;
    unsigned char type; // a DT_ value
};

unsigned char type_of(int folder, const dirent& entry) {
    if (entry.d_type != DT_UNKNOWN) return entry.d_type;
    struct stat status = {}; // some file systems do not tell in the folder itself
    if (::fstatat(folder, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) return DT_UNKNOWN;
    return static_cast<unsigned char>(IFTODT(status.st_mode));
}

std::vector<Entry> entries_of(DIR* stream, std::uint64_t most, int& error) {
    std::vector<Entry> entries;
    while (entries.size() <= most) {
        errno = 0;
        const dirent* entry = ::readdir(stream);
        if (!entry) break;
        std::string_view name = entry->d_name;
        if (name == "." || name == "..") continue;
        entries.push_back({std::string(name), type_of(::dirfd(stream), *entry)});
    }
    error = errno;
    return entries;
}

bool has_entry(const std::vector<Entry>& entries, std::string_view name, unsigned char type = DT_UNKNOWN) {
    return std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
        return entry.name == name && (type == DT_UNKNOWN || entry.type == type);
    });
}

void list_link(const WalkScope& walk, std::string path, WalkPart& found) {
    LinkTarget target = resolve_link(walk.real_root, path);
    switch (target.kind) {
    case LinkTarget::Kind::file:
        found.files.push_back({std::move(path), true});
        break;
    case LinkTarget::Kind::directory:
        found.linked_directories.emplace_back(std::move(path), std::move(target.path));
        break;
    case LinkTarget::Kind::refused:
        (is_failure_of_the_run(target.error) ? found.failed : found.skipped)
            .push_back({std::move(path), std::move(target.why)});
        break;
    }
}

} // namespace

Result<std::vector<WalkExclude>> compile_excludes(const std::vector<std::string>& patterns) {
    std::vector<WalkExclude> excludes;
    for (std::string_view pattern : patterns) {
        bool directories_only = pattern.size() > 1 && pattern.ends_with('/');
        if (directories_only) pattern.remove_suffix(1);
        auto glob = Glob::compile(pattern);
        if (!glob) return glob.error();
        excludes.push_back({std::move(*glob), directories_only});
    }
    return excludes;
}

bool is_excluded(const std::vector<WalkExclude>& exclude, std::string_view path, bool is_directory) {
    return std::any_of(exclude.begin(), exclude.end(), [&](const WalkExclude& one) {
        return (is_directory || !one.directories_only) && one.glob.matches(path);
    });
}

bool is_brought_in(const std::vector<std::string>& brought_in, std::string_view path, bool is_directory) {
    if (is_in_one_of(brought_in, path)) return true;
    if (!is_directory) return false;
    const std::string below = std::string(path) + "/";
    const auto next = std::lower_bound(brought_in.begin(), brought_in.end(), below);
    return next != brought_in.end() && next->starts_with(below);
}

std::shared_ptr<const IgnoreScope> with_ignore_file(std::shared_ptr<const IgnoreScope> outer,
                                                    const std::string& directory, int fd, const std::string& name,
                                                    const std::string& shown, WalkPart& found) {
    FileBytes bytes = read_file_bytes(fd, name, max_ignore_file);
    if (bytes.outcome == FileBytes::Outcome::read) {
        IgnoreRules rules(bytes.text);
        if (rules.too_many())
            found.skipped.push_back({shown, "its rules do not count: it has more than " +
                                                std::to_string(IgnoreRules::most_patterns) + " patterns"});
        if (rules.empty()) return outer;
        return std::make_shared<const IgnoreScope>(IgnoreScope{directory, std::move(rules), std::move(outer)});
    }
    // Without rights its rules do not count, and more is read. When the system fails, nobody knows what they say.
    const bool failed = is_failure_of_the_run(bytes.error);
    (failed ? found.failed : found.skipped)
        .push_back({shown, "its rules do not count: " + (bytes.why.empty() ? "it has more than 4 MiB" : bytes.why)});
    return outer;
}

Error too_many_files(const std::string& root, std::uint64_t limit) {
    return {"holds more than " + std::to_string(limit) + " files and folders",
            root,
            {0, 0},
            "`limits: files` in .lockstep.yaml raises that, `exclude:` leaves folders out"};
}

std::vector<WalkFolder> list_folder(const WalkScope& walk, const WalkFolder& folder, WalkPart& found) {
    if (walk.is_full()) return {};
    auto give_up = [&](int error) {
        // No program that goes by whole paths can open what is in a folder this deep, so nothing there is applied.
        const bool too_deep = error == ENAMETOOLONG;
        (too_deep ? found.skipped : found.failed).push_back({folder.path, std::strerror(error)});
        if (too_deep) found.unlisted.push_back(folder.path);
        return std::vector<WalkFolder>{};
    };
    int fd = ::openat(walk.root, folder.path.empty() ? "." : folder.path.c_str(),
                      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return give_up(errno);
    std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(fd), &::closedir);
    if (!stream) {
        int error = errno;
        ::close(fd);
        return give_up(error);
    }
    int error = 0;
    std::vector<Entry> entries = entries_of(stream.get(), walk.max_entries, error);
    if (error != 0) give_up(error);
    walk.entries += entries.size();

    std::shared_ptr<const IgnoreScope> ignore = folder.ignore;
    std::shared_ptr<TrackedPaths> tracked = folder.tracked;
    bool all_ignored = folder.ignored;
    if (walk.gitignore && !folder.path.empty() && has_entry(entries, ".git")) {
        auto git_folder = git_folder_of(walk.real_root + '/' + folder.path);
        if (!git_folder) found.failed.push_back({folder.path + "/.git", git_folder.error().message});
        if (git_folder && *git_folder) {
            // A repository of its own: what is above it has no say in what it tracks.
            tracked = std::make_shared<TrackedPaths>(std::move(**git_folder), "", folder.path);
            found.repositories.push_back(tracked);
            if (all_ignored) ignore = nullptr;
            all_ignored = false;
        }
    }
    if (walk.gitignore && has_entry(entries, ".gitignore", DT_REG))
        ignore = with_ignore_file(std::move(ignore), folder.path, fd, ".gitignore",
                                  folder.path.empty() ? ".gitignore" : folder.path + "/.gitignore", found);

    std::vector<WalkFolder> below;
    for (const Entry& entry : entries) {
        if (entry.name == ".git") continue;
        std::string path;
        path.reserve(folder.path.size() + 1 + entry.name.size());
        if (!folder.path.empty()) path.append(folder.path) += '/';
        path += entry.name;
        bool is_directory = entry.type == DT_DIR;
        const bool ignored = all_ignored || is_ignored(ignore.get(), path, is_directory);
        if (ignored && !(tracked && (is_directory ? tracked->has_below(path) : tracked->has(path)))) continue;
        const bool excluded = folder.excluded || is_excluded(walk.exclude, path, is_directory);
        if (excluded && !is_brought_in(walk.brought_in, path, is_directory)) {
            found.unlisted.push_back(std::move(path));
            continue;
        }
        switch (entry.type) {
        case DT_DIR:
            below.push_back({std::move(path), ignore, tracked, ignored, excluded});
            break;
        case DT_REG:
            found.files.push_back({std::move(path), false});
            break;
        case DT_LNK:
            list_link(walk, std::move(path), found);
            break;
        case DT_UNKNOWN:
            found.failed.push_back({std::move(path), "could not be looked at"});
            break;
        default:
            found.skipped.push_back(
                {std::move(path), "a " + std::string(special_name(static_cast<mode_t>(DTTOIF(entry.type))))});
            break;
        }
    }
    return below;
}

} // namespace lockstep

// Lists the repository: several threads take folders from one queue; what they find is sorted at the end, so that the
// result does not depend on who was first.
#include "tree/folder_queue.h"
#include "tree/list.h"
#include "tree/open_folder.h"
#include "tree/surroundings.h"
#include "tree/tree.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <functional>
#include <iterator>
#include <mutex>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace lockstep {

namespace {

constexpr unsigned max_jobs = 64;

// All threads together; the calling one works too, so that a system that gives no more threads still gets its list.
// The first exception of any of them is the caller's.
std::vector<WalkPart> list_all(const WalkScope& walk, WalkFolder first, unsigned jobs, WalkPart start) {
    FolderQueue<WalkFolder> queue(std::move(first));
    std::vector<WalkPart> found(std::clamp(jobs, 1U, max_jobs));
    found[0] = std::move(start);
    std::mutex guard;
    std::exception_ptr failure;
    auto work = [&](WalkPart& mine) {
        try {
            while (auto folder = queue.take())
                queue.finish(list_folder(walk, *folder, mine));
            std::sort(mine.files.begin(), mine.files.end(),
                      [](const auto& a, const auto& b) { return a.path < b.path; });
        } catch (...) {
            const std::lock_guard lock(guard);
            if (!failure) failure = std::current_exception();
            queue.stop();
        }
    };
    std::vector<std::jthread> threads;
    try {
        for (std::size_t i = 1; i < found.size(); ++i)
            threads.emplace_back(work, std::ref(found[i]));
    } catch (const std::system_error&) {
        // fewer threads, same list
    }
    work(found[0]);
    threads.clear(); // joins
    if (failure) std::rethrow_exception(failure);
    return found;
}

Tree merged(std::vector<WalkPart> parts) {
    Tree tree;
    std::vector<WalkPart::Entry> files;
    for (WalkPart& part : parts) {
        std::vector<WalkPart::Entry> both;
        both.reserve(files.size() + part.files.size());
        std::merge(std::make_move_iterator(files.begin()), std::make_move_iterator(files.end()),
                   std::make_move_iterator(part.files.begin()), std::make_move_iterator(part.files.end()),
                   std::back_inserter(both), [](const auto& a, const auto& b) { return a.path < b.path; });
        files = std::move(both);
        std::move(part.skipped.begin(), part.skipped.end(), std::back_inserter(tree.skipped));
        std::move(part.unlisted.begin(), part.unlisted.end(), std::back_inserter(tree.unlisted));
        std::move(part.linked_directories.begin(), part.linked_directories.end(),
                  std::back_inserter(tree.linked_directories));
    }
    tree.files.reserve(files.size());
    for (WalkPart::Entry& entry : files) {
        File& file = tree.files.emplace_back();
        file.path = std::move(entry.path);
        file.link = entry.link;
    }
    std::sort(tree.skipped.begin(), tree.skipped.end());
    std::sort(tree.unlisted.begin(), tree.unlisted.end());
    std::sort(tree.linked_directories.begin(), tree.linked_directories.end());
    return tree;
}

Error no_root(const std::string& root, int error) {
    const char* hint = "name the folder that holds the repository";
    if (error == ENOENT) return {"there is no such folder", root, {0, 0}, hint};
    if (error == ENOTDIR) return {"is a file, not a folder", root, {0, 0}, hint};
    return {std::string("cannot be listed: ") + std::strerror(error), root, {0, 0}, "check who may read this folder"};
}

// The first by path, so that every run says the same.
std::optional<Error> failure_in(const std::string& root, const std::vector<WalkPart>& parts) {
    const SkippedEntry* first = nullptr;
    for (const WalkPart& part : parts) {
        for (const SkippedEntry& one : part.failed)
            if (!first || one < *first) first = &one;
    }
    if (first)
        return Error{"cannot be listed: " + first->why,
                     first->path.empty() ? root : root + '/' + first->path,
                     {0, 0},
                     "check who may read it; `exclude:` in .lockstep.yaml leaves a folder out"};
    std::optional<Error> error;
    for (const WalkPart& part : parts)
        for (const auto& repository : part.repositories)
            if (repository->error() && (!error || repository->error()->path < error->path)) error = repository->error();
    return error;
}

} // namespace

std::optional<Error> no_folder(const std::string& root) {
    struct stat status = {};
    if (::stat(root.c_str(), &status) != 0) return no_root(root, errno);
    if (!S_ISDIR(status.st_mode)) return no_root(root, ENOTDIR);
    return std::nullopt;
}

Result<Tree> walk(const std::string& root, const WalkOptions& options) {
    WalkScope walk;
    walk.gitignore = options.gitignore;
    walk.max_entries = options.max_files;
    auto excludes = compile_excludes(options.exclude);
    if (!excludes) return excludes.error();
    walk.exclude = std::move(*excludes);
    walk.brought_in = options.brought_in;
    walk.root = ::open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (walk.root < 0) return no_root(root, errno);
    const OpenFolder keeper(walk.root);
    // A root that may be read but not entered would look like an empty one.
    if (::faccessat(walk.root, ".", R_OK | X_OK, AT_EACCESS) != 0) return no_root(root, errno);
    std::unique_ptr<char, decltype(&std::free)> real(::realpath(root.c_str(), nullptr), &std::free);
    if (!real) return no_root(root, errno);
    walk.real_root = real.get();

    WalkPart start;
    WalkFolder first;
    if (options.gitignore) {
        Surroundings around = surroundings_of(walk.real_root, start);
        first.ignore = std::move(around.ignore);
        first.tracked = around.tracked;
        if (around.tracked) start.repositories.push_back(std::move(around.tracked));
    }
    std::vector<WalkPart> parts = list_all(walk, std::move(first), options.jobs, std::move(start));
    if (walk.is_full()) return too_many_files(root, options.max_files);
    if (auto error = failure_in(root, parts)) return *error;
    Tree tree = merged(std::move(parts));
    tree.root = root;
    tree.max_file_size = options.max_file_size;
    tree.archive = options.archive;
    tree.brought_in = options.brought_in;
    return tree;
}

void list_skipped(Tree& tree) {
    std::vector<File> fresh;
    for (const SkippedEntry& entry : tree.skipped) {
        File file;
        file.path = entry.path;
        file.state = FileState::unreadable;
        file.why = entry.why;
        const auto there = std::lower_bound(tree.files.begin(), tree.files.end(), entry.path,
                                            [](const File& a, const std::string& wanted) { return a.path < wanted; });
        if (there != tree.files.end() && there->path == entry.path)
            *there = std::move(file); // an ignore file without rights
        else
            fresh.push_back(std::move(file));
    }
    std::move(fresh.begin(), fresh.end(), std::back_inserter(tree.files));
    std::sort(tree.files.begin(), tree.files.end(), [](const File& a, const File& b) { return a.path < b.path; });
}

} // namespace lockstep

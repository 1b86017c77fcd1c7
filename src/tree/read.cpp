// Fills one listed file with its bytes, or with the reason why there are none.
#include "tree/file_bytes.h"
#include "tree/git_blobs.h"
#include "tree/link.h"
#include "tree/tree.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>

namespace lockstep {

namespace {

constexpr std::size_t binary_probe = 8000; // as far as git looks for a NUL

// A NUL in one of these is a fault to report, or expected (a packed chart), and not a sign of a picture.
bool is_wanted_by_name(std::string_view path) {
    for (std::string_view ending : {".yaml", ".yml", ".tftpl", ".json", ".tpl", ".tgz"})
        if (path.ends_with(ending)) return true;
    return false;
}

void give_up(File& file, std::string why) {
    file.state = FileState::unreadable;
    file.why = std::move(why);
}

FileBytes read_from_folder(const Tree& tree, const File& file, std::uint64_t limit) {
    auto failed = [](std::string why, int error) {
        return FileBytes{FileBytes::Outcome::failed, {}, 0, std::move(why), error};
    };
    if (tree.root.empty()) return failed("is in no folder", 0);
    if (!file.link) return read_file_bytes(AT_FDCWD, tree.root + '/' + file.path, limit);
    // What the link leads to may have changed since it was listed.
    std::unique_ptr<char, decltype(&std::free)> root(::realpath(tree.root.c_str(), nullptr), &std::free);
    if (!root) return failed(std::strerror(errno), errno);
    LinkTarget target = resolve_link(root.get(), file.path);
    if (target.kind == LinkTarget::Kind::refused) return failed(std::move(target.why), target.error);
    return read_file_bytes(AT_FDCWD, std::string(root.get()) + '/' + target.path, limit);
}

// A span counts in 32 bits.
std::uint64_t limit_of(const Tree& tree) {
    return std::min<std::uint64_t>(tree.max_file_size, UINT32_MAX - 1);
}

FileBytes bytes_of(const Tree& tree, const File& file) {
    const std::uint64_t limit = limit_of(tree);
    return tree.blobs ? tree.blobs->read(file.blob, limit) : read_from_folder(tree, file, limit);
}

} // namespace

std::string read_binary(const Tree& tree, const File& file) {
    return bytes_of(tree, file).text;
}

void read_file(const Tree& tree, File& file) {
    if (file.state != FileState::listed) return;
    FileBytes bytes = bytes_of(tree, file);
    file.size = bytes.size;
    switch (bytes.outcome) {
    case FileBytes::Outcome::failed:
        file.lost = is_failure_of_the_run(bytes.error);
        return give_up(file, std::move(bytes.why));
    case FileBytes::Outcome::oversize:
        file.state = FileState::oversize;
        file.why = "has " + std::to_string(bytes.size) + " bytes, more than " + std::to_string(limit_of(tree)) +
                   "; `limits: file-size` in .lockstep.yaml raises that";
        return;
    case FileBytes::Outcome::read:
        break;
    }
    if (!is_wanted_by_name(file.path) && !file.manifest &&
        std::string_view(bytes.text).substr(0, binary_probe).find('\0') != std::string::npos) {
        file.state = FileState::binary;
        file.why = "has a NUL among its first bytes";
        return;
    }
    file.text = std::move(bytes.text);
    file.state = FileState::read;
}

std::optional<Error> lost_file(const Tree& tree) {
    for (const File& file : tree.files) {
        if (!file.lost) continue;
        if (tree.blobs)
            return Error{"cannot be read from git: " + file.why,
                         file.path,
                         {0, 0},
                         "lockstep fetches nothing: a partial clone needs git fetch --refetch --no-filter first; git "
                         "fsck finds damage"};
        return Error{"cannot be read: " + file.why,
                     tree.root + '/' + file.path,
                     {0, 0},
                     "the system failed, so what was found cannot be trusted; run it again"};
    }
    return std::nullopt;
}

} // namespace lockstep

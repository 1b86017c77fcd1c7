// Reads versions 2 to 4 of git's index (gitformat-index(5)), with ids of either hash; only the paths are of use here.
#include "tree/git_index.h"
#include "tree/file_bytes.h"
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>

namespace lockstep {

namespace {

constexpr std::uint64_t max_index_file = 1U << 30;
constexpr std::uint64_t max_pointer_file = 8192;
constexpr std::size_t header_size = 12;
constexpr std::size_t stat_size = 40; // times, device, inode, mode, owner, size
constexpr std::size_t mode_offset = 24;

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = (value << 8) | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

bool is_mode(std::uint32_t mode) {
    const std::uint32_t kind = mode >> 12;
    return kind == 8 || kind == 10 || kind == 14 || kind == 4; // file, link, submodule, folder of a sparse index
}

// How many bytes of the path before are not shared: git's own form of a number.
std::optional<std::size_t> read_offset(std::string_view bytes, std::size_t& at) {
    std::size_t value = 0;
    for (bool first = true; at < bytes.size(); first = false) {
        const auto byte = static_cast<unsigned char>(bytes[at++]);
        if (!first) ++value;
        if (value > (SIZE_MAX >> 8)) return std::nullopt;
        value = (value << 7) | (byte & 0x7fU);
        if (!(byte & 0x80U)) return value;
    }
    return std::nullopt;
}

// Nothing when the bytes are no index with ids of this size.
std::optional<GitIndexPaths> parse_entries(std::string_view bytes, std::string_view prefix, std::size_t id_size) {
    const std::uint32_t version = number_at(bytes, 4), count = number_at(bytes, 8);
    if (bytes.size() < header_size + id_size) return std::nullopt;
    const std::string_view body = bytes.substr(0, bytes.size() - id_size); // behind it is a checksum of it all
    GitIndexPaths found;
    std::string path;
    std::size_t at = header_size;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::size_t begin = at;
        if (body.size() - at < stat_size + id_size + 2) return std::nullopt;
        if (!is_mode(number_at(body, at + mode_offset))) return std::nullopt;
        at += stat_size + id_size;
        const bool extended = static_cast<unsigned char>(body[at]) & 0x40U;
        at += extended && version >= 3 ? 4 : 2;
        if (at > body.size()) return std::nullopt;
        if (version == 4) {
            const auto dropped = read_offset(body, at);
            if (!dropped || *dropped > path.size()) return std::nullopt;
            path.resize(path.size() - *dropped);
        } else {
            path.clear();
        }
        const auto end = body.find('\0', at);
        if (end == std::string_view::npos) return std::nullopt;
        path += body.substr(at, end - at);
        at = end + 1;
        if (version != 4) at = begin + (end - begin + 8) / 8 * 8; // one NUL or more, up to a multiple of eight
        if (at > body.size()) return std::nullopt;
        // An amended entry of a split index has no name; its name is in the index that is amended.
        if (path.starts_with(prefix) && path.size() > prefix.size()) found.paths.push_back(path.substr(prefix.size()));
    }
    while (at < body.size()) { // extensions
        if (body.size() - at < 8) return std::nullopt;
        const std::string_view name = body.substr(at, 4);
        const std::size_t size = number_at(body, at + 4);
        at += 8;
        if (size > body.size() - at) return std::nullopt;
        if (name == "link" && size >= id_size)
            for (std::size_t i = 0; i < id_size; ++i) {
                const auto byte = static_cast<unsigned char>(body[at + i]);
                found.shared_base += "0123456789abcdef"[byte >> 4];
                found.shared_base += "0123456789abcdef"[byte & 0xfU];
            }
        at += size;
    }
    if (found.shared_base.find_first_not_of('0') == std::string::npos) found.shared_base.clear();
    std::sort(found.paths.begin(), found.paths.end());
    return found;
}

Error unread(const std::string& path, const std::string& why) {
    return {"cannot read which files git tracks: " + why,
            path,
            {0, 0},
            "git status says what is wrong with it; without that list an ignore file could hide tracked files"};
}

Result<GitIndexPaths> read_index(const std::string& path, std::string_view prefix) {
    const FileBytes bytes = read_file_bytes(AT_FDCWD, path, max_index_file);
    if (bytes.outcome == FileBytes::Outcome::failed && bytes.error == ENOENT)
        return GitIndexPaths{}; // nothing is added yet
    if (bytes.outcome != FileBytes::Outcome::read)
        return unread(path, bytes.why.empty() ? "it has more than 1 GiB" : bytes.why);
    auto parsed = parse_git_index(bytes.text, prefix);
    if (!parsed) return unread(path, parsed.error().message);
    return parsed;
}

Result<std::vector<std::string>> read_paths(const std::string& git_folder, std::string_view prefix) {
    auto own = read_index(git_folder + "/index", prefix);
    if (!own) return own.error();
    if (own->shared_base.empty()) return std::move(own->paths);
    const std::string shared_file = git_folder + "/sharedindex." + own->shared_base;
    struct stat status = {};
    if (::stat(shared_file.c_str(), &status) != 0) return unread(shared_file, std::strerror(errno));
    auto shared = read_index(shared_file, prefix);
    if (!shared) return shared.error();
    // Some of these may have been taken out since: then a file too many is read, never one too few.
    own->paths.insert(own->paths.end(), shared->paths.begin(), shared->paths.end());
    std::sort(own->paths.begin(), own->paths.end());
    return std::move(own->paths);
}

} // namespace

Result<GitIndexPaths> parse_git_index(std::string_view bytes, std::string_view prefix) {
    if (bytes.size() < header_size || !bytes.starts_with("DIRC")) return Error{"it is not a git index"};
    const std::uint32_t version = number_at(bytes, 4);
    if (version < 2 || version > 4) return Error{"it has version " + std::to_string(version) + ", which is not known"};
    for (std::size_t id_size : {20U, 32U})
        if (auto parsed = parse_entries(bytes, prefix, id_size)) return std::move(*parsed);
    return Error{"it is damaged"};
}

TrackedPaths::TrackedPaths(std::string git_folder, std::string prefix, std::string directory)
    : git_folder_(std::move(git_folder)), prefix_(std::move(prefix)), directory_(std::move(directory)) {}

const std::vector<std::string>& TrackedPaths::paths() {
    std::call_once(once_, [&] {
        auto read = read_paths(git_folder_, prefix_);
        if (read)
            paths_ = std::move(*read);
        else
            error_ = read.error();
    });
    return paths_;
}

std::optional<std::string_view> TrackedPaths::below(std::string_view path) const {
    if (directory_.empty()) return path;
    if (path.size() <= directory_.size() || !path.starts_with(directory_) || path[directory_.size()] != '/')
        return std::nullopt;
    return path.substr(directory_.size() + 1);
}

bool TrackedPaths::has(std::string_view path) {
    const auto wanted = below(path);
    const auto& all = paths();
    return wanted && std::binary_search(all.begin(), all.end(), *wanted);
}

bool TrackedPaths::has_below(std::string_view path) {
    const auto wanted = below(path);
    if (!wanted) return false;
    if (has(path)) return true;
    const auto& all = paths();
    const std::string prefix = std::string(*wanted) + '/';
    const auto it = std::lower_bound(all.begin(), all.end(), prefix);
    return it != all.end() && it->starts_with(prefix);
}

Result<std::optional<std::string>> git_folder_of(const std::string& folder) {
    using Found = std::optional<std::string>;
    const std::string path = folder + "/.git";
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0) {
        if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == EACCES) return Found();
        return Error{std::strerror(errno)};
    }
    if (S_ISDIR(status.st_mode)) return Found(path);
    const FileBytes bytes = read_file_bytes(AT_FDCWD, path, max_pointer_file);
    if (is_failure_of_the_run(bytes.error)) return Error{bytes.why};
    constexpr std::string_view lead = "gitdir: ";
    if (bytes.outcome != FileBytes::Outcome::read || !bytes.text.starts_with(lead)) return Found();
    std::string target = bytes.text.substr(lead.size());
    while (target.ends_with('\n') || target.ends_with('\r'))
        target.pop_back();
    if (target.empty()) return Found();
    return Found(target.starts_with('/') ? target : folder + '/' + target);
}

} // namespace lockstep

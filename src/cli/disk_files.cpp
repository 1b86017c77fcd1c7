// Reads single files from disk.
#include "cli/disk_files.h"
#include "tree/file_bytes.h"
#include <fcntl.h>
#include <filesystem>

namespace lockstep {
namespace {

constexpr std::uint64_t largest_disk_file = 64ULL << 20;

} // namespace

// What is not there, kustomize says; what the system failed to say must not look like that.
void DiskFiles::note(const std::string& path, const std::error_code& error) {
    const bool absent = error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory ||
                        error == std::errc::filename_too_long;
    if (error && !absent && !problem_) problem_ = Error{"cannot be looked at: " + error.message(), "/" + path};
}

std::optional<Error> DiskFiles::problem() {
    const std::scoped_lock lock(guard_);
    return problem_;
}

std::optional<FileId> DiskFiles::find(std::string_view path) {
    const std::scoped_lock lock(guard_);
    const std::string key(path);
    if (const auto known = ids_.find(key); known != ids_.end()) return known->second;
    std::error_code error;
    const bool file = std::filesystem::is_regular_file("/" + key, error);
    note(key, error);
    if (!file) return std::nullopt;
    const auto id = static_cast<FileId>(files_.size());
    files_.push_back({key, {}});
    ids_.emplace(key, id);
    return id;
}

std::string_view DiskFiles::text(FileId file) {
    const std::scoped_lock lock(guard_);
    Entry& entry = files_[file];
    if (!entry.read) {
        std::error_code error;
        const std::filesystem::path real = std::filesystem::canonical("/" + entry.path, error);
        FileBytes bytes = read_file_bytes(AT_FDCWD, error ? "/" + entry.path : real.string(), largest_disk_file);
        if (bytes.outcome == FileBytes::Outcome::oversize && !problem_)
            problem_ = Error{"the file is larger than 64 MiB", "/" + entry.path};
        if (bytes.outcome == FileBytes::Outcome::failed && !problem_)
            problem_ = Error{"the file cannot be read: " + bytes.why, "/" + entry.path};
        entry.text = std::move(bytes.text);
        entry.read = true;
    }
    return entry.text;
}

Loader DiskFiles::loader() {
    Loader loader;
    loader.find_file = [this](std::string_view path) { return find(path); };
    loader.is_folder = [this](std::string_view path) {
        const std::scoped_lock lock(guard_);
        std::error_code error;
        const bool folder = std::filesystem::is_directory("/" + std::string(path), error);
        note(std::string(path), error);
        return folder;
    };
    loader.text = [this](FileId file) { return text(file); };
    loader.path = [this](FileId file) {
        const std::scoped_lock lock(guard_);
        return files_[file].path;
    };
    return loader;
}

std::string DiskFiles::shown(Place place, const std::string& folder) {
    if (place.file == no_file) return {};
    const std::string_view content = text(place.file);
    const std::scoped_lock lock(guard_);
    Entry& entry = files_[place.file];
    if (!entry.lines) entry.lines = std::make_unique<LineTable>(content);
    const std::string path = std::filesystem::path("/" + entry.path).lexically_relative(folder).string();
    return path + ":" + std::to_string(entry.lines->position(place.span.begin).line);
}

} // namespace lockstep

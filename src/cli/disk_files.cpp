// Reads single files from disk.
#include "cli/disk_files.h"
#include "tree/file_bytes.h"
#include <fcntl.h>
#include <filesystem>

namespace lockstep {
namespace {

constexpr std::uint64_t largest_file = 64ULL << 20;

} // namespace

std::optional<FileId> DiskFiles::find(std::string_view path) {
    const std::scoped_lock lock(guard_);
    const std::string key(path);
    if (const auto known = ids_.find(key); known != ids_.end()) return known->second;
    std::error_code error;
    if (!std::filesystem::is_regular_file("/" + key, error)) return std::nullopt;
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
        entry.text = read_file_bytes(AT_FDCWD, error ? "/" + entry.path : real.string(), largest_file).text;
        entry.read = true;
    }
    return entry.text;
}

Loader DiskFiles::loader() {
    Loader loader;
    loader.find_file = [this](std::string_view path) { return find(path); };
    loader.is_folder = [](std::string_view path) {
        std::error_code error;
        return std::filesystem::is_directory("/" + std::string(path), error);
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

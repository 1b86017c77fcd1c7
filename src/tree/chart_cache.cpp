// Lists and reads packed charts.
#include "tree/chart_cache.h"
#include "tree/file_bytes.h"
#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_archive = 64ULL << 20;

fs::path folder_at(const std::string& root, const std::string& folder) {
    if (folder.starts_with("~/")) {
        const char* home = std::getenv("HOME");
        return home ? fs::path(home) / folder.substr(2) : fs::path(folder);
    }
    const fs::path path(folder);
    return path.is_absolute() ? path : fs::path(root) / path;
}

} // namespace

std::vector<std::string> cached_archives(const std::string& root, const std::string& folder) {
    std::vector<std::string> found;
    const fs::path top = folder_at(root, folder);
    for (const fs::path& place : {top, top / "repository"}) {
        std::error_code error;
        for (fs::directory_iterator entry(place, error), end; !error && entry != end; entry.increment(error)) {
            std::error_code unreadable;
            if (entry->path().extension() == ".tgz" && entry->is_regular_file(unreadable))
                found.push_back(entry->path().lexically_normal().string());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::optional<std::string> read_archive_bytes(const std::string& path) {
    FileBytes bytes = read_file_bytes(AT_FDCWD, path, largest_archive);
    if (bytes.outcome != FileBytes::Outcome::read) return std::nullopt;
    return std::move(bytes.text);
}

} // namespace lockstep

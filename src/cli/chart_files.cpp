// Reads what a chart folder holds, links followed.
#include "cli/chart_files.h"
#include "tree/file_bytes.h"
#include <fcntl.h>
#include <filesystem>

namespace lockstep {
namespace fs = std::filesystem;

constexpr std::uintmax_t largest_chart_file = 16U << 20;

std::optional<std::string> file_bytes(const std::string& path) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error); // links are followed, as Helm does
    FileBytes bytes = read_file_bytes(AT_FDCWD, error ? path : real.string(), largest_chart_file);
    if (bytes.outcome != FileBytes::Outcome::read) return std::nullopt;
    return std::move(bytes.text);
}

ChartReader folder_reader(const std::string& folder, std::string& problem) {
    ChartReader reader;
    reader.list = [folder, &problem] {
        std::vector<std::string> names;
        std::error_code error;
        const auto options = fs::directory_options::follow_directory_symlink;
        for (fs::recursive_directory_iterator entry(folder, options, error), end; !error && entry != end;
             entry.increment(error))
            if (entry.depth() < 50 && entry->is_regular_file(error))
                names.push_back(entry->path().lexically_relative(folder).generic_string());
            else if (error == std::errc::no_such_file_or_directory) // a link to nothing
                error.clear();
        if (error) problem = "the folder cannot be listed: " + error.message();
        return names;
    };
    reader.read = [folder, &problem](const std::string& name) {
        auto bytes = file_bytes(folder + "/" + name);
        if (!bytes) problem = name + " cannot be read";
        return bytes;
    };
    return reader;
}

} // namespace lockstep

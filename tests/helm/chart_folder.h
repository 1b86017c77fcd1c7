// A chart of the disk, or of memory, as the loader takes it.
#pragma once
#include "helm/chart.h"
#include "oracle.h"
#include <map>

namespace lockstep {

inline ChartReader folder_reader(const std::string& folder, const std::string& shown = {}) {
    ChartReader reader;
    reader.path = shown;
    reader.list = [folder] {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(
                 folder, std::filesystem::directory_options::follow_directory_symlink))
            if (entry.is_regular_file())
                names.push_back(std::filesystem::relative(entry.path(), folder).generic_string());
        return names;
    };
    reader.read = [folder](const std::string& name) -> std::optional<std::string> {
        return file_text(folder + "/" + name);
    };
    return reader;
}

inline ChartReader memory_reader(std::map<std::string, std::string> files) {
    ChartReader reader;
    reader.list = [files] {
        std::vector<std::string> names;
        for (const auto& [name, text] : files)
            names.push_back(name);
        return names;
    };
    reader.read = [files](const std::string& name) -> std::optional<std::string> {
        const auto found = files.find(name);
        return found == files.end() ? std::nullopt : std::optional(found->second);
    };
    return reader;
}

} // namespace lockstep

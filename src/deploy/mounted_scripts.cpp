// Which scripts of a mounted ConfigMap a pod runs: they have to be there in some container, and something has to call
// them.
#include "deploy/rbac.h"
#include <algorithm>

namespace lockstep {
namespace {

// `run-parts /scripts`, `for one in /scripts/*`: all that the folder has.
bool names_folder(std::string_view text, std::string_view folder) {
    while (folder.ends_with('/'))
        folder.remove_suffix(1);
    if (folder.empty()) return false;
    for (std::size_t at = text.find(folder); at != std::string_view::npos; at = text.find(folder, at + 1)) {
        std::string_view rest = text.substr(at + folder.size());
        if (rest.starts_with('/')) rest.remove_prefix(1);
        if (rest.empty() || std::string_view(" \t\n*;\"')|&").find(rest.front()) != std::string_view::npos) return true;
    }
    return false;
}

// The names under which containers find a key; a whole folder that is mounted is one of `folders` as well.
std::vector<std::string_view> names_of(const MountedMap& map, std::string_view key,
                                       std::vector<std::string_view>& folders) {
    std::string_view file = key;
    if (!map.items.empty()) {
        const auto item =
            std::find_if(map.items.begin(), map.items.end(), [&](const auto& one) { return one.first == key; });
        if (item == map.items.end()) return {};
        file = item->second;
    }
    std::vector<std::string_view> names;
    for (const auto& [path, sub] : map.mounts) {
        if (sub.empty()) {
            names.push_back(file_name_of(file));
            folders.push_back(path);
        } else if (sub == file) {
            names.push_back(file_name_of(path));
        }
    }
    return names;
}

} // namespace

std::vector<std::size_t> called_scripts(const MountedMap& map, std::span<const KeyText> scripts,
                                        std::span<const std::string_view> spoken) {
    std::vector<std::size_t> called;
    std::vector<std::string_view> texts(spoken.begin(), spoken.end());
    for (std::size_t i = 0; i < texts.size(); ++i)
        for (std::size_t number = 0; number < scripts.size(); ++number) {
            if (std::find(called.begin(), called.end(), number) != called.end()) continue;
            std::vector<std::string_view> folders;
            const std::vector<std::string_view> names = names_of(map, scripts[number].first, folders);
            const std::string_view text = texts[i];
            const bool runs = std::any_of(names.begin(), names.end(),
                                          [&](std::string_view name) {
                                              return !name.empty() && text.find(name) != std::string_view::npos;
                                          }) ||
                              std::any_of(folders.begin(), folders.end(),
                                          [&](std::string_view folder) { return names_folder(text, folder); });
            if (!runs) continue;
            called.push_back(number);
            texts.push_back(scripts[number].second);
        }
    return called;
}

} // namespace lockstep

// Reads where a mapping leads from its path, and which files it takes from its text.
#include "index/holo_mappings.h"
#include <algorithm>

namespace lockstep {

HoloMappings::HoloMappings(const Tree& tree, const TextOfFile& text_of) {
    constexpr std::string_view branches = ".holo/branches/", ending = ".toml";
    for (FileId file = 0; file < tree.files.size(); ++file) {
        const std::string_view path = tree.files[file].path;
        const std::size_t at = path.find(branches);
        if (at == std::string_view::npos || (at > 0 && path[at - 1] != '/') || !path.ends_with(ending)) continue;
        const std::size_t branch = at + branches.size(), slash = path.find('/', branch);
        if (slash == std::string_view::npos) continue;
        std::string_view inside = path.substr(slash + 1);
        inside.remove_suffix(ending.size());
        if (file_name_of(inside).starts_with('_')) inside = directory_of(inside);
        if (inside.empty()) continue; // over the whole tree: that fills no folder of its own
        mappings_.push_back({std::string(path.substr(0, at)) + std::string(inside) + "/", text_of(file)});
    }
}

bool HoloMappings::bring(std::string_view path) const {
    return std::any_of(mappings_.begin(), mappings_.end(), [&](const Mapping& one) {
        if (!path.starts_with(one.folder)) return false;
        // Names without a pattern are all that it takes.
        const bool all =
            one.text.find("files") == std::string_view::npos || one.text.find('*') != std::string_view::npos;
        return all ||
               one.text.find("\"" + std::string(path.substr(one.folder.size())) + "\"") != std::string_view::npos;
    });
}

} // namespace lockstep

// Any bytes as a tree of files, parted by lines `=== path`.
#pragma once
#include "tree/tree.h"
#include <map>
#include <string>

namespace lockstep {

inline Tree tree_of(std::string_view bytes, std::string path) { // `path` of the first file
    std::map<std::string, std::string> files;
    while (!bytes.empty()) {
        const auto end = bytes.find('\n');
        const std::string_view line = bytes.substr(0, end);
        bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
        if (line.starts_with("=== ") && line.size() > 4) {
            path = join_path("", line.substr(4)).value_or("x.yaml");
            if (path.empty()) path = "x.yaml";
        } else {
            files[path].append(line) += '\n';
        }
    }
    Tree tree;
    for (auto& [name, text] : files) {
        File file{name, text};
        file.size = text.size();
        file.state = FileState::read;
        tree.files.push_back(std::move(file));
    }
    return tree;
}

} // namespace lockstep

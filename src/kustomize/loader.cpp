// A loader over a tree of files.
#include "kustomize/loader.h"
#include "kustomize/tree_bytes.h"
#include <memory>

namespace lockstep {

Loader loader_of(Tree& tree) {
    auto bytes = std::make_shared<TreeBytes>(tree);
    Loader loader;
    loader.find_file = [&tree](std::string_view path) { return tree.find(path); };
    loader.is_folder = [&tree](std::string_view path) { return tree.has_directory(path); };
    loader.is_unknown = [&tree](std::string_view path) { return tree.is_unlisted(path); };
    loader.path = [&tree](FileId file) { return tree.files[file].path; };
    loader.text = [bytes](FileId file) { return bytes->of(file); };
    return loader;
}

} // namespace lockstep

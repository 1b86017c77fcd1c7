// A loader over a tree of files.
#include "kustomize/loader.h"
#include <memory>
#include <mutex>

namespace lockstep {

Loader loader_of(Tree& tree) {
    auto reading = std::make_shared<std::mutex>();
    Loader loader;
    loader.find_file = [&tree](std::string_view path) { return tree.find(path); };
    loader.is_folder = [&tree](std::string_view path) { return tree.has_directory(path); };
    loader.is_unknown = [&tree](std::string_view path) { return tree.is_unlisted(path); };
    loader.path = [&tree](FileId file) { return tree.files[file].path; };
    loader.text = [&tree, reading](FileId file) -> std::string_view {
        const std::scoped_lock lock(*reading);
        File& one = tree.files[file];
        if (one.state == FileState::listed) read_file(tree, one);
        return one.text;
    };
    return loader;
}

} // namespace lockstep

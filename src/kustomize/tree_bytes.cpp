// Reads files of a tree when kustomize asks for them.
#include "kustomize/tree_bytes.h"
#include "tree/file_bytes.h"

namespace lockstep {

std::string_view TreeBytes::of(FileId id) {
    File& file = tree_.files[id];
    const std::scoped_lock lock(reading_);
    if (file.state == FileState::listed) read_file(tree_, file);
    if (file.state != FileState::binary) return file.text;
    const auto [known, fresh] = binary_.try_emplace(id);
    if (fresh) known->second = read_binary(tree_, file);
    return known->second;
}

} // namespace lockstep

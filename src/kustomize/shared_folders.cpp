// Kustomization files and bases that several builds use.
#include "kustomize/folder_build.h"

namespace lockstep {

Arena* SharedFolders::take_arena() {
    if (idle_.empty()) return arenas_.emplace_back(std::make_unique<Arena>()).get();
    Arena* arena = idle_.back();
    idle_.pop_back();
    return arena;
}

const KustomizationFile* SharedFolders::kustomization(const std::string& folder, bool& several) {
    several = false;
    Arena* arena = nullptr;
    {
        const std::scoped_lock lock(guard_);
        if (const auto known = files_.find(folder); known != files_.end()) return known->second.get();
        arena = take_arena();
    }
    // Read without the lock, as others read theirs; who comes second with the same file takes that of the first.
    std::optional<FileId> found;
    std::string_view found_name;
    for (std::string_view name : kustomization_names) {
        const auto file = loader_.find_file(folder.empty() ? std::string(name) : folder + "/" + std::string(name));
        if (!file) continue;
        several = found.has_value();
        found = file;
        found_name = name;
    }
    std::unique_ptr<KustomizationFile> made;
    if (found && !several) {
        made = std::make_unique<KustomizationFile>(read_kustomization(loader_.text(*found), *found, folder, *arena));
        made->name = found_name;
    }
    const std::scoped_lock lock(guard_);
    idle_.push_back(arena);
    if (!made) return nullptr;
    return files_.try_emplace(folder, std::move(made)).first->second.get();
}

std::shared_ptr<const Accumulated> SharedFolders::find(const std::string& key) {
    const std::scoped_lock lock(guard_);
    const auto found = built_.find(key);
    return found == built_.end() ? nullptr : found->second;
}

void SharedFolders::keep(const std::string& key, std::shared_ptr<const Accumulated> built) {
    const std::scoped_lock lock(guard_);
    built_.emplace(key, std::move(built));
}

const SchemaSet* SharedFolders::keep_types(SchemaSet types) {
    const std::scoped_lock lock(guard_);
    return &types_.emplace_back(std::move(types));
}

} // namespace lockstep

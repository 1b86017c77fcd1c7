// Kustomization files and bases that several builds use.
#include "kustomize/folder_build.h"

namespace lockstep {

const KustomizationFile* SharedFolders::kustomization(const std::string& folder, bool& several) {
    const std::scoped_lock lock(guard_);
    const auto known = files_.find(folder);
    std::optional<FileId> found;
    std::string_view found_name;
    several = false;
    if (known != files_.end() && known->second) return known->second.get();
    for (std::string_view name : kustomization_names) {
        const auto file = loader_.find_file(folder.empty() ? std::string(name) : folder + "/" + std::string(name));
        if (!file) continue;
        several = found.has_value();
        found = file;
        found_name = name;
    }
    if (!found || several) return nullptr;
    auto made = std::make_unique<KustomizationFile>(read_kustomization(loader_.text(*found), *found, folder, arena_));
    made->name = found_name;
    return (files_[folder] = std::move(made)).get();
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

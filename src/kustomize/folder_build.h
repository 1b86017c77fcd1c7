// One folder of a build: its kustomization's resources, generators, components, transformers, in kustomize's order.
#pragma once
#include "kustomize/kustomization.h"
#include "kustomize/patches.h"
#include "kustomize/transformers.h"
#include <map>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

namespace lockstep {

struct VarEntry {
    std::string_view name;
    ResourceId target; // empty parts are not asked for
    std::string_view field_path;
    Place place;
};

// What a folder gives to the one that lists it.
struct Accumulated {
    Resources resources;
    ConfigPointer config;
    std::vector<VarEntry> vars;
    std::vector<BuildGap> gaps;
    std::vector<std::string> folders;
    std::vector<Place> warnings;
    std::vector<RemovedResource> removed;
    std::vector<BuildError> errors;   // with keep_going
    const SchemaSet* types = nullptr; // of an `openapi` that some folder names
    std::size_t met = 0;              // resources and folders, counted by every chain that leads to them
};

// What builds share: kustomization files and folders that were read. For several threads at a time.
class SharedFolders {
public:
    explicit SharedFolders(const Loader& loader) : loader_(loader) {}
    // nullptr: the folder has none. `several`: it has more than one.
    const KustomizationFile* kustomization(const std::string& folder, bool& several);
    std::shared_ptr<const Accumulated> find(const std::string& key);
    void keep(const std::string& key, std::shared_ptr<const Accumulated> built);
    const SchemaSet* keep_types(SchemaSet types);

private:
    Arena* take_arena();

    const Loader& loader_;
    std::mutex guard_;
    std::vector<std::unique_ptr<Arena>> arenas_; // of `files_`: as many as were read at one time
    std::vector<Arena*> idle_;
    std::unordered_map<std::string, std::unique_ptr<KustomizationFile>> files_;
    std::unordered_map<std::string, std::shared_ptr<const Accumulated>> built_;
    std::deque<SchemaSet> types_;
};

// Where objects and their changes come from, for `buildMetadata`; null when nobody asks.
struct Origin {
    std::string path; // from the built folder
};

class FolderBuild {
public:
    FolderBuild(const BuildContext& context, SharedFolders& shared, std::string folder, const KustomizationFile& file,
                const FolderBuild* parent, std::optional<Origin> origin);
    // Adds to `into`; a component changes what is there.
    Failure accumulate(Accumulated& into);

private:
    friend class PluginRunner;
    Failure note(Failure failed, Accumulated& into) const; // keep_going: goes among the errors
    Failure add_resources(Accumulated& into, const std::vector<TextEntry>& entries);
    Failure add_entry(Accumulated& into, const TextEntry& entry);
    Failure add_file(Accumulated& into, FileId file, const TextEntry& entry, bool& malformed);
    Failure add_folder(Accumulated& into, const std::string& folder, const TextEntry& entry, bool component);
    Failure add_components(Accumulated& into);
    Failure add_config(Accumulated& into);
    Failure run_generators(Accumulated& into);
    Failure add_chart(Accumulated& into, const Value& entry); // helm_charts.cpp
    Failure run_transformers(Accumulated& into);
    Failure add_vars(Accumulated& into);
    Failure merge_types(Accumulated& into);
    Failure append(Accumulated& into, const Resource& resource, Place at);
    Failure count(Accumulated& into, std::size_t more, Place at) const;
    void take_messages(Accumulated& into, const Accumulated& base);
    Failure find_folder(std::string_view path, Place at, std::string& folder) const;
    Failure find_file(std::string_view path, Place at, FileId& file) const;
    void annotate_transformer(Accumulated& into, std::string_view kind) const;
    const SchemaSet& types(const Accumulated& into) const;
    Failure kept_back(const std::string& path, const std::string& looking, Place at) const;
    std::string shown(std::string_view path) const; // joined with the folder

    const BuildContext& context_;
    SharedFolders& shared_;
    std::string folder_;
    const KustomizationFile& file_;
    const FolderBuild* parent_;
    std::optional<Origin> origin_;
    unsigned depth_ = 0;
    Place listed_at_ = {};    // the parent's entry that leads here
    bool incomplete_ = false; // its resources are not all there: kustomize comes no further
    std::unordered_map<std::size_t, std::vector<std::size_t>> known_; // positions by hash, while resources are added
    std::unordered_set<std::string> taken_; // what bases had to say: of one that is listed twice, only once
};

} // namespace lockstep

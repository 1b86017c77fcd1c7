// kustomize build, natively: a folder in, objects out, each with the places it came from. Bases are built once and
// shared; trees are made when they are asked for.
#pragma once
#include "kustomize/loader.h"
#include "kustomize/resource.h"
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

// Something that this build does not see: never an error, but what it hides is not known.
struct BuildGap {
    enum class Kind : std::uint8_t {
        remote,   // a url
        plugin,   // exec, container or other KRM functions
        helm,     // helmCharts
        template_ // a file with template actions, or one that is excluded from the tree
    } kind = Kind::remote;
    Place place; // the entry that asks for it
    std::string reason;
};

struct BuildError {
    std::string message; // as kustomize says it
    Place place;         // the entry, patch or file that caused it
    enum class Kind : std::uint8_t {
        other,
        missing,   // a path that leads nowhere
        sought,    // an object that a patch, a generator, a variable or a replacement asks for is not in the build
        twice,     // an id that is registered already
        cycle,     // a folder that includes itself
        kept_back, // a file that is here, but not for whoever builds
        limit,     // more than BuildLimits allow: nothing of this build can be trusted
    } kind = Kind::other;
    // Of `twice`: the document (or the generator's entry) of the second one and of the first, and the entry of the
    // first; `place` is the entry of the second.
    Place document = {}, first_document = {}, first_entry = {};
    // Of `cycle`: the entries from the folder that is met again down to `place`.
    std::vector<Place> entries = {};
    ResourceId id = {};      // of `twice`
    Place kept_back_by = {}; // of `kept_back`, as of KeptBack
};

// Files of the tree that whoever builds does not get.
struct KeptBack {
    // Nothing: he has it. Else the line that keeps it back; of no file where no file says so.
    std::function<std::optional<Place>(std::string_view path)> by;
    std::string key; // builds that keep back unlike files share nothing
};

// What a patch deletes: never an error, and not among the resources any more.
struct RemovedResource {
    Place document; // of the resource
    Place by;       // the patch, as of Touch
};

// What Flux puts on top of a folder: it edits the folder's kustomization.yaml, or makes one, before it builds. Trees
// must outlive the build's builder.
struct ExtraLayer {
    struct Folder {
        std::string path; // relative to the folder
        Place place;      // who asks for it
    };
    bool generate = false;              // the folder has no kustomization: `resources` is what it would list
    std::vector<std::string> resources; // relative to the folder
    std::string ns, name_prefix, name_suffix;
    std::vector<const Value*> patches; // entries as of kustomization.yaml
    std::vector<const Value*> images;  // one replaces the folder's own entry of the same name
    std::vector<Folder> components;
    Place place;                       // who asks for it
    std::vector<ExtraLayer> then = {}; // patches and images of these after all of it, one after the other
};

struct BuildOptions {
    const ExtraLayer* layer = nullptr;
    const KeptBack* kept_back = nullptr; // none: whoever builds has all files
    bool load_anywhere = false; // `--load-restrictor LoadRestrictionsNone`, as Flux builds: files above the folder too
    // Without `--enable-helm`; and the folder's own kustomization is read and written anew before the build, so that
    // fields that kustomize does not know are gone. Those of other folders are read by kustomize alone.
    bool by_flux = false;
    bool keep_order = false; // `--reorder none`; else the legacy order where sortOptions does not say
    // What kustomize refuses (a missing file, a patch without target, a name twice) is noted and left out, and the rest
    // is built: a linter must not go blind because of one bad entry.
    bool keep_going = false;
    // In memory of its own that does not count against `memory`: for folders that change nothing, built beside others.
    bool apart = false;
};

struct BuildLimits {
    std::size_t resources = 1'000'000;         // and folders of one build, counted by every chain that leads to them
    unsigned depth = 100;                      // of folders within folders
    std::size_t changes = 200'000;             // of objects in one build: patches times what they select
    std::size_t memory = std::size_t{1} << 30; // bytes that all builds make
};

struct Build {
    std::vector<Resource> resources; // in the order in which kustomize writes them
    std::vector<BuildGap> gaps;
    std::vector<std::string> folders;  // every folder that took part, the built one first
    std::vector<Place> warnings_at;    // deprecated fields
    std::optional<BuildError> dropped; // of `by_flux`: the first field that kustomize does not know
    std::vector<RemovedResource> removed;
    std::vector<BuildError> errors; // without `keep_going` at most one, and then `resources` is empty
};

// A change of a tree that somebody outside adds: substitution, common metadata. Called when the tree is made, perhaps
// from several threads; `tree` may be replaced in place.
using ObjectChange = std::function<void(Value& tree, Arena& arena)>;

class Builder {
public:
    explicit Builder(Loader loader, BuildLimits limits = {});
    ~Builder();
    Builder(const Builder&) = delete;
    Builder& operator=(const Builder&) = delete;

    // `folder` is relative to the root. For several threads at a time.
    Build build(std::string_view folder, const BuildOptions& options = {});

    // The object's tree, made on the first call and kept. nullptr when a transformer cannot be applied to it: then
    // `error` says why. Not to be changed. For several threads at a time.
    const Value* tree(const Resource& resource, BuildError* error = nullptr);
    std::size_t kept_bytes() const; // about as much as these take
    // The same into memory of the caller, who may change it; nothing is kept.
    Value* tree(const Resource& resource, Arena& arena, BuildError* error = nullptr);
    // The resource with one more pending change. `id` may be changed by the caller afterwards.
    Resource with_change(const Resource& resource, ObjectChange change);
    std::string_view keep(std::string_view text); // for ids that the caller changes
    // How many trees were made so far: laziness can be measured.
    std::size_t trees_made() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace lockstep

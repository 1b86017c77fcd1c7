// Tells the Flux Kustomizations that a cluster begins with from those that nothing applies. Both are in no build of
// this tree; a sync of Flux's own, or one that applies the folder it is in, is a beginning.
#include "deploy/fleet.h"
#include "index/cells.h"
#include "index/own_sources.h"
#include <algorithm>
#include <set>
#include <unordered_map>

namespace lockstep {
namespace {

// `flux bootstrap` writes it below the folder that it applies, whatever is made of that folder's lists later.
bool is_written_by_bootstrap(const Tree& tree, const Object& object, const std::string& applied) {
    const std::string_view path = tree.files[object.file].path;
    return object.name.text == "flux-system" && (applied.empty() || path.starts_with(applied + "/"));
}

class Beginnings {
public:
    explicit Beginnings(const Fleet& fleet, const Index& index) : fleet_(fleet), index_(index) {
        for (const Root& root : fleet.roots) {
            if (root.certainty == Certainty::loose || root.by != Root::By::flux) continue;
            if (const EntityId maker = root.maker == no_number ? no_entity : fleet.instances[root.maker].object;
                maker != no_entity && is_written_by_bootstrap(*index.tree, index.objects[maker], root.dir))
                applied_.emplace(maker, root.cluster);
            for (std::uint32_t i = root.first; i < root.first + root.count; ++i)
                if (const Instance& one = fleet.instances[i]; one.id().kind == "Kustomization")
                    applied_.emplace(one.object, root.cluster);
        }
    }

    // Bootstrapping makes it, or it applies itself.
    bool begins(const Root& given) const {
        for (std::uint32_t i = given.first; i < given.first + given.count; ++i) {
            const EntityId object = fleet_.instances[i].object;
            if (object == no_entity) continue;
            if (index_.objects[object].bootstrap || applied_.contains({object, given.cluster})) return true;
        }
        return false;
    }

    // Its neighbours in the folder are listed one by one, and it is not.
    bool is_left_out(const Root& given) {
        const std::string_view dir = folder_of(given.place.file);
        const auto own = index_.kustomization_by_dir.find(std::string(dir));
        if (own != index_.kustomization_by_dir.end() && index_.kustomizations[own->second].file == given.place.file)
            return false; // a list itself
        if (!listed_noted_) note_listed();
        const auto listed = listed_in_.find(dir);
        return listed != listed_in_.end() && (listed->second.several || listed->second.file != given.place.file);
    }

    // A Flux Kustomization of another cluster takes something from a folder above, or lists a neighbour, and leaves it
    // out.
    bool is_built_around(const Root& given) {
        if (built_.empty()) note_folders();
        if (has_other(around_, directory_of(given.dir), given.cluster)) return true;
        for (std::string_view dir = directory_of(given.dir); !dir.empty(); dir = directory_of(dir))
            if (has_other(built_, dir, given.cluster)) return true;
        return false;
    }

private:
    using Folders = std::set<std::pair<std::string, std::uint32_t>>;
    struct ListedFiles {
        FileId file = no_file;
        bool several = false;
    };

    void note_listed() {
        listed_noted_ = true;
        for (const ListedEdge& edge : index_.listed_edges) {
            if (edge.target != Target::file) continue;
            if (index_.kustomizations[edge.kustomization].listed[edge.entry].as != Listing::resource) continue;
            ListedFiles& in = listed_in_.try_emplace(directory_of(edge.path), ListedFiles{edge.file}).first->second;
            in.several = in.several || in.file != edge.file;
        }
    }

    // Every folder that took part: that a Flux Kustomization names, of the files, of the lists that lead to them; and
    // those around folders that these lists name.
    void note_folders() {
        std::set<std::pair<FileId, std::uint32_t>> seen;
        for (const Root& root : fleet_.roots) {
            if (root.certainty == Certainty::loose || root.by != Root::By::flux) continue;
            if (root.count != 0) built_.emplace(root.dir, root.cluster);
            for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
                const Resource& one = fleet_.instances[i].resource;
                if (is_there(one.document) && seen.emplace(one.document.file, root.cluster).second)
                    built_.emplace(folder_of(one.document.file), root.cluster);
                for (const Via* via = one.via; via; via = via->below)
                    if (via->kustomization != no_file && seen.emplace(via->kustomization, root.cluster).second)
                        note_list(via->kustomization, root.cluster);
            }
        }
    }
    void note_list(FileId file, std::uint32_t cluster) {
        built_.emplace(folder_of(file), cluster);
        const EntityId id = fleet_.kustomization_in(file);
        if (id == no_entity) return;
        const Kustomization& list = index_.kustomizations[id];
        for (const Listed& entry : list.listed)
            if (const auto path = is_known(entry.path) ? join_path(list.dir, entry.path.text) : std::nullopt;
                path && index_.tree->has_directory(*path))
                around_.emplace(directory_of(*path), cluster);
    }
    std::string_view folder_of(FileId file) const { return directory_of(index_.tree->files[file].path); }

    static bool has_other(const Folders& folders, std::string_view dir, std::uint32_t cluster) {
        auto found = folders.lower_bound({std::string(dir), 0});
        if (found != folders.end() && found->first == dir && found->second == cluster) ++found;
        return found != folders.end() && found->first == dir;
    }

    const Fleet& fleet_;
    const Index& index_;
    bool listed_noted_ = false;
    std::unordered_map<std::string_view, ListedFiles> listed_in_; // by folder: files listed one by one
    Folders built_, around_; // folders that Flux Kustomizations build, folders around those they list, and for whom
    std::set<std::pair<EntityId, std::uint32_t>> applied_; // Kustomizations that others, or they, apply
};

// Syncs of an API that bootstrap has not written since Flux 0.26, whose folder does not build: whatever runs there was
// not made from this tree for years. By the root that the cluster begins with.
std::set<std::uint32_t> out_of_use(const Fleet& fleet) {
    std::set<std::uint32_t> found;
    for (const Root& root : fleet.roots)
        if (root.by == Root::By::flux && !root.errors.empty() && root.above != no_number && root.maker != no_number &&
            fleet.roots[root.above].by == Root::By::given && fleet.instances[root.maker].id().version == "v1beta1")
            found.insert(root.above);
    return found;
}

} // namespace

// Where nothing says which source is this repository: a Flux Kustomization whose folder holds that Kustomization and
// its source is a sync, and the folder is the one that the source has.
std::vector<std::string> Fleet::self_applying_urls() const {
    std::set<std::string> urls, keys;
    for (const Root& root : roots) // one repository is known already
        if (root.ours == Ours::yes && root.source != no_entity && is_known(index_.sources[root.source].url))
            keys.insert(repository_key(index_.sources[root.source].url.text));
    for (const Root& root : roots) {
        if (root.ours != Ours::unknown || root.maker == no_number || root.source == no_entity || root.dir.empty())
            continue;
        const EntityId own = instances[root.maker].object, source = index_.sources[root.source].object;
        bool has_own = false, has_source = false;
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
            has_own = has_own || (own != no_entity && instances[i].object == own);
            has_source = has_source || instances[i].object == source;
        }
        if (!has_own || !has_source || !is_known(index_.sources[root.source].url)) continue;
        urls.insert(index_.sources[root.source].url.text);
        keys.insert(repository_key(index_.sources[root.source].url.text));
    }
    if (keys.size() > 1) return {}; // repositories of one layout
    return {urls.begin(), urls.end()};
}

void Fleet::settle_beginnings() {
    Beginnings beginnings(*this, index_);
    bool sync_seen = false;
    for (Root& root : roots) {
        if (root.certainty == Certainty::loose) continue;
        if (root.by == Root::By::given) root.begins = beginnings.begins(root);
        sync_seen = sync_seen || root.begins || (root.by == Root::By::flux && root.above == no_number);
    }
    const std::set<std::uint32_t> idle = out_of_use(*this);
    for (Root& root : roots) { // those above come first
        if (idle.count(static_cast<std::uint32_t>(&root - roots.data()))) {
            root.certainty = std::min(root.certainty, Certainty::possible);
            root.why =
                "what " + (root.dir.empty() ? "the sync at the top" : root.dir) +
                " applies does not build, and its sync is of an API that Flux left years ago: it seems out of use";
        }
        const bool unlisted = root.by == Root::By::given && root.certainty == Certainty::proven && !root.begins &&
                              (sync_seen || beginnings.is_left_out(root) || beginnings.is_built_around(root));
        if (unlisted)
            root.why =
                "nothing in this tree applies " + (root.dir.empty() ? "the Kustomizations at the top" : root.dir);
        if (root.above != no_number && roots[root.above].certainty == Certainty::possible && root.why.empty())
            root.why = roots[root.above].why;
        if (unlisted || (root.above != no_number && roots[root.above].certainty == Certainty::possible))
            root.certainty = std::min(root.certainty, Certainty::possible);
    }
    note_passed_over();
}

// What bootstrap wrote, in a folder that the list above leaves out: nothing in the running cluster builds it.
void Fleet::note_passed_over() {
    std::set<std::pair<std::uint32_t, std::string>> reached; // by cluster: folders that Flux builds
    for (const Root& root : roots)
        if (root.by == Root::By::flux)
            for (const std::string& folder : root.folders)
                reached.emplace(root.cluster, folder);
    for (std::uint32_t number = 0; number < roots.size(); ++number) {
        const Root& sync = roots[number];
        if (sync.by != Root::By::flux || sync.maker == no_number || sync.ours != Ours::yes || sync.folders.empty())
            continue;
        const Instance& maker = instances[sync.maker];
        const std::string dir = root_of(maker).dir;
        const bool bootstrap = root_of(maker).by == Root::By::given && maker.object != no_entity && dir != sync.dir &&
                               is_written_by_bootstrap(*index_.tree, index_.objects[maker.object], sync.dir);
        if (!bootstrap || reached.contains({sync.cluster, dir})) continue;
        for (Root& root : roots)
            if (root.by == Root::By::given && root.cluster == sync.cluster && root.dir == dir)
                root.passed_over_by = number;
    }
}

} // namespace lockstep

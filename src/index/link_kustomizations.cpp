// Kustomizations to the files and folders they list.
#include "base/parallel.h"
#include "index/links.h"

namespace lockstep {

namespace {

void resolve(const Index& index, ListedEdge& edge, const Kustomization& from, const Cell& reference) {
    if (reference.state != State::known) {
        edge.target = Target::templated;
        return;
    }
    std::optional<std::string> path = join_path(from.dir, reference.text);
    if (path) {
        edge.path = *path;
        if (std::optional<FileId> file = index.tree->find(*path)) {
            edge.target = Target::file;
            edge.file = *file;
            return;
        }
        if (index.tree->has_directory(*path)) {
            edge.target = Target::directory;
            auto found = index.kustomization_by_dir.find(*path);
            if (found != index.kustomization_by_dir.end()) {
                edge.leads_to = found->second;
                edge.file = index.kustomizations[found->second].file;
            }
            return;
        }
    }
    if (is_remote(reference.text))
        edge.target = Target::remote;
    else
        edge.target = path ? Target::missing : Target::outside;
}

} // namespace

bool is_remote(std::string_view path) {
    if (path.find("://") != std::string_view::npos) return true;
    for (std::string_view start : {"git::", "git@", "github.com/", "github.com:"})
        if (path.starts_with(start)) return true;
    const std::size_t at = path.find('@'), colon = path.find(':');
    return at != std::string_view::npos && colon != std::string_view::npos && at < colon &&
           path.find('/') > colon; // user@host:path
}

void link_kustomizations(Index& index, unsigned jobs) {
    for (EntityId id = 0; id < index.kustomizations.size(); ++id) {
        const Kustomization& made = index.kustomizations[id];
        if (!made.embedded && is_kustomization_name(file_name_of(index.tree->files[made.file].path)))
            index.kustomization_by_dir.emplace(made.dir, id);
    }
    for (EntityId id = 0; id < index.kustomizations.size(); ++id) {
        const Kustomization& made = index.kustomizations[id];
        for (std::uint32_t entry = 0; entry < made.listed.size() && !made.embedded; ++entry) {
            ListedEdge& edge = index.listed_edges.emplace_back();
            edge.kustomization = id;
            edge.entry = entry;
        }
    }
    parallel_for(index.listed_edges.size(), jobs, [&](std::size_t number) {
        ListedEdge& edge = index.listed_edges[number];
        const Kustomization& made = index.kustomizations[edge.kustomization];
        resolve(index, edge, made, made.listed[edge.entry].path);
    });
    std::unordered_map<FileId, bool> patch_files; // true while nobody applies the file as a resource
    for (std::uint32_t number = 0; number < index.listed_edges.size(); ++number) {
        const ListedEdge& edge = index.listed_edges[number];
        if (edge.leads_to != no_entity) index.dir_listers[edge.leads_to].push_back(number);
        const Listing as = index.kustomizations[edge.kustomization].listed[edge.entry].as;
        if (edge.target == Target::file && as == Listing::patch) patch_files.emplace(edge.file, true);
        if (edge.target == Target::file && as == Listing::resource) patch_files[edge.file] = false;
    }
    std::vector<FileId> listed;
    listed.reserve(index.listed_edges.size());
    for (const ListedEdge& edge : index.listed_edges)
        listed.push_back(edge.target == Target::file ? edge.file : no_file);
    index.listers = Groups(index.tree->files.size(), listed);
    for (Object& object : index.objects) {
        auto patch = patch_files.find(object.file);
        object.as_patch = patch != patch_files.end() && patch->second;
    }
}

} // namespace lockstep

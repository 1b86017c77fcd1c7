// Follows entries of kustomizations, paths of Flux Kustomizations and charts of releases to what the tree does not
// show.
#include "deploy/unseen_files.h"
#include "index/cells.h"
#include "index/links.h"
#include <algorithm>
#include <functional>

namespace lockstep {
namespace {

// What is parsed as manifests are; values, sources of generators and schemas are texts of other kinds.
bool holds_manifests(Listing as) {
    return as == Listing::resource || as == Listing::patch || as == Listing::generator || as == Listing::transformer ||
           as == Listing::validator;
}

bool is_read_by_kustomize(const Index& index, EntityId kustomization) {
    const auto at_dir = index.kustomization_by_dir.find(index.kustomizations[kustomization].dir);
    return at_dir != index.kustomization_by_dir.end() && at_dir->second == kustomization;
}

bool is_excluded(const Tree& tree, std::string_view path) {
    const auto is_above = [&](const SkippedEntry& one) {
        return path == one.path || (path.starts_with(one.path) && path[one.path.size()] == '/');
    };
    return tree.is_unlisted(path) && !is_in_one_of(tree.submodules, path) && !tree.find(path) &&
           !tree.has_directory(path) && std::none_of(tree.skipped.begin(), tree.skipped.end(), is_above);
}

// Every path that something applies, with who says so.
void each_wanted(const Index& index, const Fleet& fleet,
                 const std::function<void(const std::string& path, Place by)>& take) {
    for (const ListedEdge& edge : index.listed_edges) {
        const Kustomization& from = index.kustomizations[edge.kustomization];
        if (edge.path.empty() || !is_read_by_kustomize(index, edge.kustomization)) continue;
        if (fleet.certainty_of_file(from.file) != Certainty::loose) take(edge.path, from.listed[edge.entry].path.place);
    }
    for (const Root& root : fleet.roots) {
        if (root.ours == Ours::no || root.certainty == Certainty::loose) continue;
        if (root.by == Root::By::flux || root.by == Root::By::config) take(root.dir, root.place);
        for (const Cell& component : root.spec.components)
            if (const auto path = join_path(root.dir, component.text); path && is_known(component))
                take(*path, component.place);
    }
    for (EntityId id = 0; id < index.releases.size(); ++id) {
        const HelmRelease& release = index.releases[id];
        const EntityId source = index.release_edges[id].source;
        if (!is_known(release.chart) || source == no_entity || index.sources[source].kind != "GitRepository") continue;
        if (fleet.source_ours[source] != Ours::no && fleet.certainty_of(release.object) != Certainty::loose)
            take(clamp_path(release.chart.text), release.chart.place);
    }
    for (const DependencyEdge& edge : index.dependency_edges) {
        const Chart& chart = index.charts[edge.chart];
        const Cell& repository = chart.dependencies[edge.dependency].repository;
        if (!edge.by_file || !is_known(repository) || fleet.certainty_of_file(chart.file) == Certainty::loose) continue;
        if (const auto path = join_path(chart.dir, std::string_view(repository.text).substr(7)))
            take(*path, repository.place);
    }
}

// To kustomize a Terraform template is YAML like any other.
bool is_read_as_yaml(const File& file) {
    return file.manifest || (is_indexable(file) && !is_terraform_template(file.path));
}

void sort_once(std::vector<std::string>& paths) {
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
}

bool is_manifest_name(std::string_view path) {
    return path.ends_with(".yaml") || path.ends_with(".yml") || is_kustomization_name(file_name_of(path));
}

} // namespace

BroughtIn brought_in(const Repository& repository) {
    const Index& index = repository.index;
    BroughtIn made;
    const Tree& tree = *index.tree;
    if (!tree.unlisted.empty())
        each_wanted(index, fleet_of(repository), [&](const std::string& path, Place) {
            if (is_excluded(tree, path)) made.excluded.push_back(path);
        });
    for (const ListedEdge& edge : index.listed_edges) {
        if (edge.target != Target::file || is_read_as_yaml(tree.files[edge.file])) continue;
        const Kustomization& from = index.kustomizations[edge.kustomization];
        if (holds_manifests(from.listed[edge.entry].as) && is_read_by_kustomize(index, edge.kustomization))
            made.manifests.push_back(tree.files[edge.file].path);
    }
    sort_once(made.excluded);
    sort_once(made.manifests);
    return made;
}

Place brought_in_by(const Index& index, const Fleet& fleet, std::string_view path) {
    Place found;
    each_wanted(index, fleet, [&](const std::string& wanted, Place by) {
        if (!is_there(found) && wanted == path) found = by;
    });
    return found;
}

std::optional<FileId> unread_and_applied(const Repository& repository) {
    const Index& index = repository.index;
    const Tree& tree = *index.tree;
    std::vector<bool> unread(tree.files.size(), false);
    bool any = false;
    for (FileId file = 0; file < tree.files.size(); ++file) {
        const FileState state = tree.files[file].state;
        unread[file] = state == FileState::oversize || state == FileState::unreadable;
        any = any || unread[file];
    }
    if (!any) return std::nullopt;
    const Fleet& fleet = fleet_of(repository);
    std::vector<FileId> found;
    auto add_below = [&](const std::string& dir, bool all) { // a folder that is applied as it is
        const std::string below = dir.empty() ? "" : dir + "/";
        auto file = std::lower_bound(tree.files.begin(), tree.files.end(), below,
                                     [](const File& one, const std::string& path) { return one.path < path; });
        for (; file != tree.files.end() && file->path.starts_with(below); ++file) {
            const bool here = all || file->path.find('/', below.size()) == std::string::npos;
            const auto id = static_cast<FileId>(file - tree.files.begin());
            if (unread[id] && here &&
                (all ? is_manifest_name(file->path) : is_kustomization_name(file_name_of(file->path))))
                found.push_back(id);
        }
    };
    for (const ListedEdge& edge : index.listed_edges) {
        const Kustomization& from = index.kustomizations[edge.kustomization];
        if (!is_read_by_kustomize(index, edge.kustomization) || fleet.certainty_of_file(from.file) != Certainty::proven)
            continue;
        if (edge.target == Target::file && unread[edge.file]) found.push_back(edge.file);
        if (edge.target == Target::directory && edge.leads_to == no_entity) add_below(edge.path, false);
    }
    for (const Root& root : fleet.roots)
        if (root.certainty == Certainty::proven && root.ours != Ours::no &&
            (root.by == Root::By::flux || root.by == Root::By::config) && !index.kustomization_by_dir.count(root.dir))
            add_below(root.dir, true);
    for (const Chart& chart : index.charts)
        if (fleet.has_roots && fleet.certainty_of_file(chart.file) == Certainty::proven)
            for (const auto* files : {&chart.templates, &chart.values_files})
                for (FileId file : *files)
                    if (unread[file]) found.push_back(file);
    if (found.empty()) return std::nullopt;
    return *std::min_element(found.begin(), found.end());
}

} // namespace lockstep

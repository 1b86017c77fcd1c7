// What a kustomization or a folder adds: files, their objects, folders below, components, generated objects.
#include "index/cells.h"
#include "index/closure_walk.h"
#include <algorithm>

namespace lockstep {
namespace {

// What Flux leaves out of an artifact without being told, as far as it is YAML.
bool is_left_out(std::string_view path) {
    const std::string_view name = file_name_of(path);
    if (name == ".sops.yaml" || name == ".flux.yaml" || name == ".goreleaser.yml") return true;
    for (std::string_view folder : {".git/", ".github/", ".circleci/"})
        if (path.starts_with(folder) || path.find("/" + std::string(folder)) != std::string_view::npos) return true;
    return false;
}

bool is_manifest(std::string_view path) {
    return path.ends_with(".yaml") || path.ends_with(".yml");
}

// An object that kustomize takes from a resource file. A HelmRelease without a chart is whole enough for it.
bool is_taken(const Object& object) {
    if (object.embedded || object.group == "kustomize.config.k8s.io" || !is_set(object.kind)) return false;
    if (!is_set(object.name) && !is_set(object.generate_name)) return false;
    return !object.partial || object.kind.text == "HelmRelease";
}

} // namespace

std::vector<ClosureWalk::Item> ClosureWalk::listed_items(EntityId id) {
    const Kustomization& made = index_.kustomizations[id];
    std::vector<Item> items;
    if (!made.helm_charts.empty()) gap(ClosureGap::Why::helm, made.helm_charts.front().place);
    if (made.inline_plugins) gap(ClosureGap::Why::plugin, made.place);
    // Resources and bases stand before components: kustomize takes them in that order.
    spend(made.listed.size(), made.place);
    for (std::uint32_t i = first_edge_[id]; i < index_.listed_edges.size() && !made_.truncated; ++i) {
        const ListedEdge& edge = index_.listed_edges[i];
        if (edge.kustomization != id) break;
        const Listed& entry = made.listed[edge.entry];
        if (entry.as == Listing::generator || entry.as == Listing::transformer)
            gap(ClosureGap::Why::plugin, entry.path.place);
        if (entry.as != Listing::resource && entry.as != Listing::base && entry.as != Listing::component) continue;
        const bool component = entry.as == Listing::component;
        if (edge.target == Target::file)
            items.push_back({no_entity, edge.file, entry.path.place, component});
        else if (edge.leads_to != no_entity)
            items.push_back({edge.leads_to, no_file, entry.path.place, component});
        else
            gap(edge.target == Target::remote      ? ClosureGap::Why::remote
                : edge.target == Target::templated ? ClosureGap::Why::templated
                                                   : ClosureGap::Why::missing,
                entry.path.place);
    }
    return items;
}

// As kustomize-controller does it: every manifest below, and each folder below that has a kustomization as a whole.
std::vector<ClosureWalk::Item> ClosureWalk::folder_items(const std::string& dir, Place entry) {
    std::vector<Item> items;
    const std::string below = dir.empty() ? "" : dir + "/";
    const auto& files = index_.tree->files;
    auto file = std::lower_bound(files.begin(), files.end(), below,
                                 [](const File& one, const std::string& path) { return one.path < path; });
    std::string taken, last; // a folder that was taken as a whole; the folder of the file before
    for (; file != files.end() && file->path.starts_with(below) && !made_.truncated; ++file) {
        spend(1, entry);
        if (!taken.empty() && file->path.starts_with(taken)) continue;
        const std::string here(directory_of(file->path));
        EntityId whole = no_entity;
        for (std::size_t slash = below.size(); here != last && whole == no_entity && slash < here.size();) {
            slash = std::min(here.find('/', slash + 1), here.size());
            const auto found = index_.kustomization_by_dir.find(here.substr(0, slash));
            if (found == index_.kustomization_by_dir.end()) continue;
            whole = found->second;
            taken = here.substr(0, slash) + "/";
        }
        last = here;
        if (whole != no_entity) {
            // A component is never listed by Flux itself.
            if (!index_.kustomizations[whole].component) items.push_back({whole, no_file, entry, false});
            continue;
        }
        const auto id = static_cast<FileId>(file - files.begin());
        if (is_manifest(file->path) && !is_left_out(file->path)) items.push_back({no_entity, id, entry, false});
    }
    return items;
}

std::vector<ClosureWalk::Item> ClosureWalk::flux_components(const std::string& dir) {
    std::vector<Item> items;
    for (const Cell& component : index_.flux_kustomizations[made_.roots.back().flux].components) {
        const std::optional<std::string> where =
            is_known(component) ? join_path(dir, component.text) : std::optional<std::string>();
        const auto made = where ? index_.kustomization_by_dir.find(*where) : index_.kustomization_by_dir.end();
        if (made != index_.kustomization_by_dir.end())
            items.push_back({made->second, no_file, component.place, true});
        else
            gap(is_known(component) ? ClosureGap::Why::missing : ClosureGap::Why::templated, component.place);
    }
    return items;
}

void ClosureWalk::add_file(const Item& item, std::uint32_t step) {
    const std::size_t before = made_.applied.size();
    const bool by_folder = made_.steps[step].kustomization == no_entity;
    bool any = false;
    for (std::uint32_t id = first_object_[item.file]; id < first_object_[item.file + 1]; ++id) {
        const Object& object = index_.objects[id];
        any = true;
        if (!is_taken(object) || (by_folder && object.in_templates)) continue;
        if (!room(item.entry)) return;
        Applied applied;
        applied.object = id;
        applied.ns = object.ns;
        applied.name = object.name;
        applied.step = step;
        applied.root = static_cast<std::uint32_t>(made_.roots.size() - 1);
        applied.entry = item.entry;
        const Scope scope = scopes_.of(object.group, object.kind.text);
        applied.cluster_scoped = scope.cluster;
        applied.scope_known = scope.known;
        if (scope.cluster) applied.ns.state = State::absent, applied.ns.text.clear();
        applied.sure = !(by_folder && source_ignore_);
        made_.applied.push_back(std::move(applied));
    }
    const File& file = index_.tree->files[item.file];
    if (!any && made_.applied.size() == before && !by_folder && (file.state != FileState::read || !file.text.empty()))
        gap(ClosureGap::Why::unread, item.entry);
}

void ClosureWalk::add_generators(const Frame& frame) {
    const Kustomization& made = index_.kustomizations[frame.kustomization];
    for (std::uint32_t i = 0; i < made.generators.size(); ++i) {
        const Generator& generator = made.generators[i];
        if (generator.behavior.text == "merge" || generator.behavior.text == "replace" || !room(generator.place))
            continue;
        Applied applied;
        applied.generator = i;
        applied.secret = generator.secret;
        applied.ns = generator.ns;
        applied.name = generator.name;
        applied.step = frame.step;
        applied.root = static_cast<std::uint32_t>(made_.roots.size() - 1);
        applied.entry = generator.place;
        made_.applied.push_back(std::move(applied));
    }
}

} // namespace lockstep

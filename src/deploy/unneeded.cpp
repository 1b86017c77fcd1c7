// Where nothing says what is applied, every topmost kustomization is taken as applied, but for those that the tree
// itself shows to be parts, leftovers or templates: what they lost is missed by nobody.
#include "deploy/argo_folders.h"
#include "deploy/fleet_walk.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

bool is_included(Listing as) {
    return as == Listing::resource || as == Listing::base || as == Listing::component;
}

// Lists what is below it and does nothing else.
bool only_collects(const Kustomization& made) {
    return made.patches.empty() && made.generators.empty() && made.helm_charts.empty() && made.images.empty() &&
           !is_set(made.ns) && !is_set(made.name_prefix) && !is_set(made.name_suffix) &&
           made.common_annotations.empty() && made.common_labels.empty() && made.labels.empty() &&
           !made.inline_plugins &&
           std::all_of(made.listed.begin(), made.listed.end(), [](const Listed& one) { return is_included(one.as); });
}

bool is_below(std::string_view path, std::string_view dir) {
    return dir.empty() || (path.starts_with(dir) && path.size() > dir.size() && path[dir.size()] == '/');
}

// The folder called `templates` that a path is in: empty when there is none.
std::string_view templates_above(std::string_view path) {
    for (std::string_view dir = directory_of(path); !dir.empty(); dir = directory_of(dir))
        if (file_name_of(dir) == "templates") return dir;
    return {};
}

struct Unneeded {
    const Index& index;
    std::vector<std::vector<const ListedEdge*>> edges = {}; // by kustomization
    std::unordered_map<FileId, std::size_t> takers = {};
    std::map<std::string_view, std::size_t> listed = {}, unlisted = {}; // by the folder around them
    std::set<std::string_view> filled_in = {};                          // folders of templates

    void collect() {
        edges.resize(index.kustomizations.size());
        for (const ListedEdge& edge : index.listed_edges) {
            if (!is_included(index.kustomizations[edge.kustomization].listed[edge.entry].as)) continue;
            edges[edge.kustomization].push_back(&edge);
            if (edge.file != no_file) ++takers[edge.file];
        }
        for (EntityId id = 0; id < index.kustomizations.size(); ++id)
            ++(index.dir_listers.count(id) ? listed : unlisted)[directory_of(index.kustomizations[id].dir)];
        for (FileId file = 0; file < index.tree->files.size(); ++file)
            if (const std::string_view dir = templates_above(index.tree->files[file].path);
                !dir.empty() && !index.chart_by_dir.count(std::string(directory_of(dir))) &&
                index.tree->indexed_text(file).find("{%") != std::string_view::npos)
                filled_in.insert(dir);
    }

    // Ansible and the like copy the folder to where its paths are right.
    bool is_template(const Kustomization& made) const { return filled_in.contains(templates_above(made.dir + "/x")); }

    // One of a shelf of parts: others take its sisters, nobody takes it, and it takes nothing from elsewhere.
    bool is_spare_part(EntityId id) const {
        const Kustomization& made = index.kustomizations[id];
        const auto taken = listed.find(directory_of(made.dir)), left = unlisted.find(directory_of(made.dir));
        return !made.dir.empty() && taken != listed.end() && left != unlisted.end() && taken->second > 1 &&
               taken->second > left->second &&
               std::all_of(edges[id].begin(), edges[id].end(),
                           [&](const ListedEdge* edge) { return is_below(edge->path, made.dir); });
    }

    // A base that its overlays no longer take.
    bool is_orphan(const Kustomization& made) const {
        const std::string_view name = file_name_of(made.dir);
        if (name != "base" && name != "bases") return false;
        const std::string_view around = directory_of(made.dir);
        return std::any_of(index.kustomizations.begin(), index.kustomizations.end(), [&](const Kustomization& other) {
            return &other != &made && other.dir != around && is_below(other.dir, around) &&
                   !is_below(other.dir, made.dir);
        });
    }

    // Laid over a folder of another repository, which has the rest.
    bool is_fragment(EntityId id) const {
        constexpr std::size_t several = 3;
        const auto missing =
            static_cast<std::size_t>(std::count_if(edges[id].begin(), edges[id].end(), [](const ListedEdge* edge) {
                return edge->target == Target::missing;
            }));
        return missing >= several && 2 * missing > edges[id].size();
    }

    // Others take all that it collects, one by one. One that nobody needs needs nothing itself.
    bool is_aggregator(EntityId id) {
        const Kustomization& made = index.kustomizations[id];
        if (!only_collects(made)) return false;
        std::size_t taken = 0;
        const bool all = std::all_of(edges[id].begin(), edges[id].end(), [&](const ListedEdge* edge) {
            if (edge->target == Target::missing) return true;
            if (edge->file == no_file || !is_below(edge->path, made.dir)) return false;
            ++taken;
            return takers.at(edge->file) > 1;
        });
        if (!all || taken == 0) return false;
        for (const ListedEdge* edge : edges[id])
            if (edge->file != no_file) --takers.at(edge->file);
        return true;
    }
};

} // namespace

std::map<EntityId, std::string> FleetWalk::unneeded() const {
    Unneeded all{index_};
    all.collect();
    const ArgoFolders argo(
        index_, [&](EntityId object) { return made_.declared_tree(object); },
        [&](FileId file) { return kustomizations_over(file); }, input_.is_side);
    made_.argo_names = argo.any();
    std::map<EntityId, std::string> found;
    for (EntityId id = 0; id < index_.kustomizations.size(); ++id) {
        if (!is_topmost(id, false)) continue;
        if (argo.any() && !argo.name(index_.kustomizations[id].dir))
            found[id] = "no Application of Argo CD names its folder";
        else if (all.is_template(index_.kustomizations[id]))
            found[id] = "a template that another tool fills in and copies";
        else if (all.is_spare_part(id))
            found[id] = "others list the folders beside it, and nothing lists it";
        else if (all.is_orphan(index_.kustomizations[id]))
            found[id] = "a base that nothing beside it takes";
        else if (all.is_fragment(id))
            found[id] = "most of what it lists is not in this repository";
        else if (all.is_aggregator(id))
            found[id] = "others take what it lists one by one";
    }
    return found;
}

} // namespace lockstep

// From an object up to what applies it: kustomizations, Flux Kustomizations, Helm, cloud-init.
#include "index/cells.h"
#include "index/index.h"
#include <algorithm>
#include <unordered_set>

namespace lockstep {

namespace {

bool applies(Listing as) {
    return as == Listing::resource || as == Listing::base || as == Listing::component;
}

// Flux lists a folder without a kustomization by itself: every manifest below it, and every folder below it that has a
// kustomization. `dir` is where the file or that kustomization stands.
std::vector<EntityId> flux_over(const Index& index, std::string_view dir, bool own_folder_too) {
    std::vector<EntityId> found;
    for (bool first = true;; first = false) {
        std::string folder(dir);
        bool closed = index.kustomization_by_dir.count(folder) != 0;
        if (!first || own_folder_too) {
            auto flux = index.flux_by_dir.find(folder);
            if (!closed && flux != index.flux_by_dir.end())
                found.insert(found.end(), flux->second.begin(), flux->second.end());
            if (closed) return found;
        }
        if (dir.empty()) return found;
        dir = directory_of(dir);
    }
}

bool is_manifest_name(std::string_view path) {
    return path.ends_with(".yaml") || path.ends_with(".yml");
}

} // namespace

std::vector<Applier> applied_by(const Index& index, EntityId id) {
    std::vector<Applier> appliers;
    const Object& object = index.objects[id];
    if (object.embedded) {
        if (object.bootstrap) appliers.push_back({Applier::By::bootstrap, id, object.outer});
        return appliers;
    }
    for (std::uint32_t number : index.listers.of(object.file)) {
        const ListedEdge& edge = index.listed_edges[number];
        const Listed& entry = index.kustomizations[edge.kustomization].listed[edge.entry];
        if (applies(entry.as)) appliers.push_back({Applier::By::kustomization, edge.kustomization, entry.path.place});
    }
    const std::string& path = index.tree->files[object.file].path;
    if (is_manifest_name(path))
        for (EntityId flux : flux_over(index, directory_of(path), true))
            appliers.push_back({Applier::By::flux, flux, index.flux_kustomizations[flux].path.place});
    if (object.in_templates) {
        auto chart = index.chart_by_dir.find(object.chart);
        if (chart != index.chart_by_dir.end())
            appliers.push_back({Applier::By::helm, chart->second, index.charts[chart->second].name.place});
    }
    return appliers;
}

std::vector<EntityId> walk_up(const Index& index, FileId file) {
    std::vector<EntityId> order;
    std::unordered_set<EntityId> seen;
    auto take = [&](std::span<const std::uint32_t> edges) {
        for (std::uint32_t number : edges) {
            const ListedEdge& edge = index.listed_edges[number];
            bool up = applies(index.kustomizations[edge.kustomization].listed[edge.entry].as);
            if (up && seen.insert(edge.kustomization).second) order.push_back(edge.kustomization);
        }
    };
    take(index.listers.of(file));
    for (std::size_t i = 0; i < order.size(); ++i) {
        auto above = index.dir_listers.find(order[i]);
        if (above != index.dir_listers.end()) take(above->second);
    }
    return order;
}

std::vector<EntityId> flux_on_kustomization(const Index& index, EntityId kustomization) {
    std::vector<EntityId> found;
    const Kustomization& made = index.kustomizations[kustomization];
    auto direct = index.flux_by_dir.find(made.dir);
    if (direct != index.flux_by_dir.end()) found = direct->second;
    auto component = index.flux_of_component.find(kustomization);
    if (component != index.flux_of_component.end())
        found.insert(found.end(), component->second.begin(), component->second.end());
    // A component is never listed by Flux itself.
    if (made.component) return found;
    std::vector<EntityId> over = flux_over(index, made.dir, false);
    found.insert(found.end(), over.begin(), over.end());
    return found;
}

std::vector<EntityId> flux_on_file(const Index& index, FileId file) {
    const std::string& path = index.tree->files[file].path;
    return is_manifest_name(path) ? flux_over(index, directory_of(path), true) : std::vector<EntityId>();
}

std::vector<EntityId> flux_above(const Index& index, FileId file) {
    std::vector<EntityId> found = flux_on_file(index, file);
    for (EntityId id : walk_up(index, file)) {
        std::vector<EntityId> on = flux_on_kustomization(index, id);
        found.insert(found.end(), on.begin(), on.end());
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

} // namespace lockstep

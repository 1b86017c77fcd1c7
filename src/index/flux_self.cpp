// Finds what installs Flux itself.
#include "index/flux_self.h"
#include "index/cells.h"
#include "index/flux_sites.h"
#include <unordered_map>

namespace lockstep {

std::vector<FluxChart> flux_charts(const Index& index, const Table* mirrors) {
    std::vector<FluxChart> found;
    std::vector<bool> taken(index.charts.size(), false);
    const auto take = [&](EntityId chart, std::string key) {
        if (taken[chart]) return;
        taken[chart] = true;
        found.push_back({chart, std::move(key)});
    };
    for (const DependencyEdge& edge : index.dependency_edges) {
        const Chart& chart = index.charts[edge.chart];
        const ChartDependency& dependency = chart.dependencies[edge.dependency];
        if (chart.subchart || !is_known(dependency.name) || dependency.name.text != "flux2") continue;
        take(edge.chart, is_known(dependency.alias) ? dependency.alias.text : "flux2");
    }
    if (mirrors)
        for (const Row& row : mirrors->rows) {
            const std::string& path = index.tree->files[row.anchor.file].path;
            const auto slash = path.rfind('/');
            const auto chart = index.chart_by_dir.find(slash == std::string::npos ? "" : path.substr(0, slash));
            if (chart != index.chart_by_dir.end()) take(chart->second, "flux2");
        }
    return found;
}

std::vector<SelfRelease> releases_of_flux(const Index& index, const std::vector<FluxChart>& charts) {
    std::unordered_map<EntityId, std::string> keys;
    for (const FluxChart& chart : charts)
        keys.emplace(chart.chart, chart.values_key);
    std::vector<SelfRelease> found;
    for (EntityId id = 0; id < index.releases.size(); ++id) {
        const ReleaseEdges& edges = index.release_edges[id];
        if (index.releases[id].partial) continue;
        if (const auto key = keys.find(edges.chart); edges.chart != no_entity && key != keys.end())
            found.push_back({id, edges.chart, key->second});
        else if (is_known(edges.chart_name) && edges.chart_name.text == "flux2" &&
                 (edges.registry.empty() || is_community_registry(edges.registry)))
            found.push_back({id, no_entity, {}});
    }
    return found;
}

} // namespace lockstep

// Collects the pins of own charts from what is declared and from what is applied.
#include "deploy/own_releases.h"
#include "index/cells.h"
#include "index/relations.h"
#include <algorithm>

namespace lockstep {

std::vector<OwnRelease> own_releases(const Index& index) {
    std::vector<OwnRelease> made;
    for (EntityId id = 0; id < index.releases.size(); ++id) {
        const HelmRelease& release = index.releases[id];
        const Object& object = index.objects[release.object];
        if (object.partial || object.as_patch || !index.release_edges[id].own) continue;
        made.push_back({release, index.release_edges[id], object, subject_of(index, object)});
    }
    return made;
}

bool is_pulled_by_version(const Index& index, const ReleaseEdges& edges) {
    return edges.source != no_entity && (index.sources[edges.source].kind == "HelmRepository" ||
                                         index.sources[edges.source].kind == "OCIRepository");
}

std::vector<Cell> pins_of(const Index& index, const Fleet& fleet, const OwnRelease& one) {
    const bool by_tag = one.edges.source != no_entity && index.sources[one.edges.source].kind == "OCIRepository";
    const EntityId carrier = by_tag ? index.sources[one.edges.source].object : one.release.object;
    std::vector<Cell> pins;
    auto add = [&](Cell cell) {
        const bool known = std::any_of(pins.begin(), pins.end(), [&](const Cell& other) {
            return other.text == cell.text && other.place == cell.place;
        });
        if (!known) pins.push_back(std::move(cell));
    };
    const bool by_chart = !by_tag && !is_set(one.release.chart); // Flux's own HelmChart carries it
    for (std::uint32_t number : by_chart ? std::span<const std::uint32_t>() : fleet.of_object(carrier)) {
        const Instance& instance = fleet.instances[number];
        if (!instance.resource.patches && !fleet.root_of(instance).variables &&
            !fleet.root_of(instance).is_rendered()) {
            add(one.edges.version);
            continue;
        }
        const Value* tree = fleet.tree_of(instance);
        Cell cell =
            by_tag ? cell_at(tree, {"spec", "ref", "tag"}) : cell_at(tree, {"spec", "chart", "spec", "version"});
        if (by_tag && !is_set(cell)) cell = cell_at(tree, {"spec", "ref", "semver"});
        add(std::move(cell));
    }
    if (pins.empty()) pins.push_back(one.edges.version);
    return pins;
}

} // namespace lockstep

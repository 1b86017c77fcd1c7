// From blueprints to the charts beside them.
#include "index/blueprint_charts.h"
#include "index/cells.h"

namespace lockstep {
namespace {

// Folder of the chart that a blueprint names; where it names none, the `chart` folder beside it.
std::optional<EntityId> chart_of(const Index& index, const Blueprint& blueprint) {
    const Object& object = index.objects[blueprint.object];
    const std::string_view here = directory_of(index.tree->files[object.file].path);
    const std::string named = is_known(blueprint.chart) ? blueprint.chart.text : "chart";
    const auto dir = join_path(here, named);
    const auto found = dir ? index.chart_by_dir.find(*dir) : index.chart_by_dir.end();
    if (found == index.chart_by_dir.end()) return std::nullopt;
    return found->second;
}

} // namespace

std::map<EntityId, const Blueprint*> charts_of_blueprints(const Index& index) {
    std::map<EntityId, const Blueprint*> charts;
    for (const Blueprint& blueprint : index.blueprints) {
        const Object& object = index.objects[blueprint.object];
        if (object.partial || object.as_patch || blueprint.chart.state == State::templated) continue;
        if (const auto chart = chart_of(index, blueprint)) charts.emplace(*chart, &blueprint);
    }
    return charts;
}

} // namespace lockstep

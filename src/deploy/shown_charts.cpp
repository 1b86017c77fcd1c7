// Which charts of this tree are seen through: whatever uses them is rendered.
#include "deploy/fleet.h"
#include "deploy/rendered_chart.h"

namespace lockstep {
namespace {

// The chart whose charts/ folder holds it; itself for one that stands alone.
EntityId outermost(const Index& index, EntityId chart) {
    while (chart != no_entity && index.charts[chart].subchart) {
        const std::string& dir = index.charts[chart].dir;
        const auto parent = index.chart_by_dir.find(dir.substr(0, dir.rfind("/charts/")));
        if (parent == index.chart_by_dir.end() || parent->second == chart) break;
        chart = parent->second;
    }
    return chart;
}

} // namespace

void Fleet::note_rendered_charts() {
    rendered_charts_.assign(index_.charts.size(), false);
    shown_charts_.assign(index_.charts.size(), false);
    std::vector<bool> released(index_.charts.size(), false);
    for (std::uint32_t i = 0; i < releases.size(); ++i) {
        const EntityId chart = releases[i].chart;
        release_by_maker_.emplace(releases[i].maker, i);
        if (chart != no_entity) rendered_charts_[chart] = shown_charts_[chart] = released[chart] = true;
    }
    for (const ReleaseRow& row : releases) {
        if (row.chart == no_entity) continue;
        if (!row.rendered || !row.rendered->complete()) rendered_charts_[row.chart] = false;
        if (!row.rendered || !row.why_not.empty() || !row.doubt.empty()) shown_charts_[row.chart] = false;
    }
    for (EntityId id = 0; id < index_.releases.size(); ++id) // those that nothing applies, and other versions
        if (const EntityId chart = index_.release_edges[id].chart; chart != no_entity && rendered_charts_[chart])
            for (std::uint32_t number : of_object(index_.releases[id].object))
                if (const ReleaseRow* row = release_of(number); !row || row->chart != chart)
                    rendered_charts_[chart] = false;

    for (EntityId id = 0; id < unreleased.size(); ++id)
        if (!released[id]) shown_charts_[id] = unreleased[id].rendered && unreleased[id].why_not.empty();
    for (const Instance& one : instances) { // as a part of another chart, or by a kustomization
        if (one.object == no_entity || !is_rendered(one) || certainty_of(one) == Certainty::possible) continue;
        if (const auto own = index_.chart_by_dir.find(index_.objects[one.object].chart);
            own != index_.chart_by_dir.end() && !released[own->second])
            shown_charts_[own->second] = true;
    }
}

bool Fleet::is_shown(const Object& object) const {
    if (!object.in_templates || object.embedded) return false;
    for (std::uint32_t number : of_object(static_cast<EntityId>(&object - index_.objects.data())))
        if (!is_rendered(instances[number])) return false; // kustomize reads it as it is
    const auto own = index_.chart_by_dir.find(object.chart);
    return own != index_.chart_by_dir.end() &&
           (shown_charts_[own->second] || shown_charts_[outermost(index_, own->second)]);
}

} // namespace lockstep

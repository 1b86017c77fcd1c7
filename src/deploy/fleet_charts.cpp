// Charts that no release here uses, with their own values. Each is a root of its own, apart from all clusters: nothing
// says where it is installed, and what it makes leads nowhere else.
#include "base/parallel.h"
#include "deploy/fleet_walk.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

// Empty: its own values say what it makes.
std::string why_not_judged(const Tree& tree, const Chart& chart, const RenderedChart& rendered) {
    if (std::string why = rendered.why_not(); !why.empty()) return why;
    const bool reads = std::any_of(chart.templates.begin(), chart.templates.end(), [&](FileId file) {
        return tree.files[file].text.find(".Values") != std::string::npos;
    });
    return reads && !own_values(tree, chart) ? "it has no values of its own" : std::string();
}

} // namespace

// Charts whose templates a release or a kustomization has rendered, as a part of another chart too.
std::vector<bool> FleetWalk::rendered_elsewhere() const {
    std::vector<bool> used(index_.charts.size(), false);
    for (const ReleaseRow& row : made_.releases)
        if (row.chart != no_entity && row.rendered) used[row.chart] = true;
    for (const Instance& one : made_.instances) {
        if (one.object == no_entity || !index_.objects[one.object].in_templates) continue;
        if (!made_.is_rendered(one)) continue; // kustomize read it as it is
        if (const auto own = index_.chart_by_dir.find(index_.objects[one.object].chart);
            own != index_.chart_by_dir.end())
            used[own->second] = true;
    }
    return used;
}

void FleetWalk::render_unreleased() {
    made_.unreleased.assign(index_.charts.size(), {});
    if (!input_.charts || made_.beyond_limit) return;
    std::vector<bool> released(index_.charts.size(), false);
    for (const ReleaseRow& row : made_.releases)
        if (row.chart != no_entity && row.rendered) released[row.chart] = true;
    const ClusterVersions runs = cluster_versions(index_, {}, input_.kubernetes);
    parallel_for(index_.charts.size(), input_.jobs, [&](std::size_t id) {
        const Chart& chart = index_.charts[id];
        if (chart.subchart || released[id] || chart.type.text == "library") return;
        ChartRequest request;
        request.chart = static_cast<EntityId>(id);
        if (is_known(chart.name)) request.release = chart.name.text;
        request.crds = false;
        request.kube_version = runs.kubernetes;
        request.helm = runs.helm;
        const auto made = std::make_shared<const RenderedChart>(render_request(*input_.charts, *index_.tree, request));
        made_.unreleased[id] = {made, why_not_judged(*index_.tree, chart, *made)};
    });
    const std::vector<bool> used = rendered_elsewhere();
    for (EntityId id = 0; id < index_.charts.size() && !made_.beyond_limit; ++id)
        if (const UnreleasedChart& chart = made_.unreleased[id]; chart.rendered && chart.why_not.empty() && !used[id])
            take_chart(id);
}

void FleetWalk::take_chart(EntityId id) {
    if (made_.unreleased[id].rendered->documents.empty()) return;
    take_documents(made_.unreleased[id].rendered, {}, index_.charts[id].name.place,
                   [&](bool unknown) { return add_chart_root(id, unknown); });
}

std::uint32_t FleetWalk::add_chart_root(EntityId id, bool unknown) {
    const Chart& chart = index_.charts[id];
    Root root;
    root.by = Root::By::chart;
    root.chart = id;
    root.dir = chart.dir;
    root.name = chart.name.text;
    root.ns = "default";
    root.place = chart.name.place;
    root.cluster = cluster_for("chart " + chart.dir);
    const bool side = input_.is_side && input_.is_side(chart.file);
    if (made_.has_roots || side) {
        root.certainty = Certainty::loose;
        root.why = side ? "a sample or a test by its path" : "no release in this tree uses its chart";
    } else if (unknown) {
        root.certainty = Certainty::possible;
        root.why = "a value that only the cluster knows decides about it";
    }
    for (const DependencyOutcome& missing : made_.unreleased[id].rendered->missing)
        root.gaps.push_back({Gap::Why::chart, root.place, words_for_missing(missing)});
    root.first = static_cast<std::uint32_t>(made_.instances.size());
    made_.clusters[root.cluster].tops.push_back(static_cast<std::uint32_t>(made_.roots.size()));
    made_.roots.push_back(std::move(root));
    return static_cast<std::uint32_t>(made_.roots.size() - 1);
}

} // namespace lockstep

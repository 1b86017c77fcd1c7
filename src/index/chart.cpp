// Chart.yaml, Chart.lock, and Helm 2's requirements files: Helm goes by these names, so we do too.
#include "index/readers.h"

namespace lockstep {

namespace {

std::vector<ChartDependency> read_dependencies(FileId file, NodeRef root) {
    std::vector<ChartDependency> dependencies;
    for (NodeRef item : items_at(root, {"dependencies"})) {
        if (!item.is_mapping()) continue;
        dependencies.push_back({cell_at(file, item, {"name"}), cell_at(file, item, {"version"}),
                                cell_at(file, item, {"repository"}), cell_at(file, item, {"alias"}),
                                cell_at(file, item, {"condition"}), place_of(file, item)});
    }
    return dependencies;
}

} // namespace

void read_chart_document(FileIndex& index, const FileView& view, const DocumentView& document, const Layout& layout) {
    FileId file = view.file;
    NodeRef root = document.root;
    std::string dir(directory_of(view.path));
    if (file_name_of(view.path) != "Chart.yaml") {
        index.chart_sides.push_back({file, dir, document.role == Role::chart_lock, read_dependencies(file, root)});
        return;
    }
    CellReader take{file, root};
    Chart chart;
    chart.file = file;
    chart.dir = dir;
    chart.tree = layout.tree_of(view.path);
    take(chart.api_version, {"apiVersion"});
    take(chart.name, {"name"});
    take(chart.version, {"version"});
    take(chart.app_version, {"appVersion"});
    take(chart.type, {"type"});
    take(chart.description, {"description"});
    chart.annotations = pairs_at(file, root, {"annotations"});
    chart.dependencies = read_dependencies(file, root);
    chart.place = {file, document.span};
    std::optional<ChartPlace> place = layout.chart_of(view.path);
    chart.subchart = place && place->subchart;
    index.charts.push_back(std::move(chart));
}

} // namespace lockstep

// Edges into rows.
#include "index/relations.h"
#include "index/cells.h"

namespace lockstep {

namespace {

Cell known(std::string text, Place place) {
    return {State::known, std::move(text), place};
}

Cell absent(Place place) {
    return {State::absent, {}, place};
}

std::string dependency_subject(const Index& index, const Chart& chart, const ChartDependency& dependency) {
    return index.tree->files[chart.file].path + "#dependencies[name=" + dependency.name.text + "]";
}

// What both tables of dependencies begin with.
Row dependency_row(const Index& index, const Chart& chart, const ChartDependency& dependency) {
    Row row;
    row.anchor = dependency.name.place;
    row.subject = dependency_subject(index, chart, dependency);
    row.cells = {chart.name, chart.version, dependency.name, dependency.version, dependency.repository};
    return row;
}

} // namespace

Table releases_with_charts(const Index& index) {
    Table table{{"release", "namespace", "chart", "version", "chart_version", "chart_dir", "source_kind", "source_url",
                 "own", "tree"},
                {}};
    for (EntityId id = 0; id < index.releases.size(); ++id) {
        const HelmRelease& release = index.releases[id];
        const ReleaseEdges& edges = index.release_edges[id];
        const Object& object = index.objects[release.object];
        if (object.partial || object.as_patch) continue;
        Row row;
        row.anchor = object.name.place;
        row.subject = subject_of(index, object);
        const Chart* chart = edges.chart == no_entity ? nullptr : &index.charts[edges.chart];
        const Reference& source = is_set(release.chart_ref.name) ? release.chart_ref : release.source;
        Cell url = edges.source_url;
        if (url.place.file == no_file) url.place = source.place;
        row.cells = {object.name,
                     object.ns,
                     edges.chart_name,
                     edges.version,
                     chart ? chart->version : absent(edges.version.place),
                     chart ? known(chart->dir, chart->place) : absent(edges.chart_name.place),
                     source.kind,
                     std::move(url),
                     known(edges.own ? "true" : "false", row.anchor),
                     known(tree_of(index, object), row.anchor)};
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table local_dependencies(const Index& index) {
    Table table{{"chart", "chart_version", "dependency", "version", "repository", "local_version", "local_dir", "tree"},
                {}};
    for (const DependencyEdge& edge : index.dependency_edges) {
        if (!edge.own) continue;
        const Chart& chart = index.charts[edge.chart];
        const ChartDependency& dependency = chart.dependencies[edge.dependency];
        const Chart* local = edge.local == no_entity ? nullptr : &index.charts[edge.local];
        Row row = dependency_row(index, chart, dependency);
        row.cells.push_back(local ? local->version : absent(dependency.version.place));
        row.cells.push_back(local ? known(local->dir, local->place) : absent(dependency.name.place));
        row.cells.push_back(known(chart.tree, row.anchor));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table dependencies_of_charts(const Index& index) {
    Table table{{"chart", "chart_version", "dependency", "version", "repository", "alias", "locked_version",
                 "vendored_version", "vendored_app_version"},
                {}};
    for (const DependencyEdge& edge : index.dependency_edges) {
        const Chart& chart = index.charts[edge.chart];
        const ChartDependency& dependency = chart.dependencies[edge.dependency];
        const Vendored* vendored = edge.vendored == no_entity ? nullptr : &chart.vendored[edge.vendored];
        Row row = dependency_row(index, chart, dependency);
        row.cells.push_back(dependency.alias);
        row.cells.push_back(edge.lock == no_entity ? absent(dependency.version.place) : chart.lock[edge.lock].version);
        row.cells.push_back(vendored ? vendored->version : absent(dependency.version.place));
        row.cells.push_back(vendored ? vendored->app_version : absent(dependency.version.place));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string subject_of(const Index& index, const Object& object) {
    const Cell& name = object.name_or_generated();
    return index.tree->files[object.file].path + "#" + object.kind.text + "/" + object.ns.text + "/" + name.text;
}

std::string subject_in_chart(const Index& index, const Chart& chart, std::string_view list, const std::string& name) {
    return index.tree->files[chart.file].path + "#" + std::string(list) + "[name=" + name + "]";
}

} // namespace lockstep

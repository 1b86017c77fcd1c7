// Charts with their files: values, templates, lock, and what is vendored in charts/.
#include "base/semver.h"
#include "index/links.h"
#include "tree/archive.h"
#include "yaml/parse.h"

namespace lockstep {

namespace {

// `flux2-2.13.0.tgz`: what `helm dependency build` calls an archive. The fallback when it cannot be opened.
void take_name_from_file(Vendored& vendored, std::string_view path, Place place) {
    std::string_view stem = file_name_of(path);
    stem.remove_suffix(std::string_view(".tgz").size());
    for (std::size_t dash = stem.find('-'); dash != std::string_view::npos; dash = stem.find('-', dash + 1)) {
        if (!parse_version(stem.substr(dash + 1))) continue;
        vendored.name = {State::known, std::string(stem.substr(0, dash)), place};
        vendored.version = {State::known, std::string(stem.substr(dash + 1)), place};
        return;
    }
    vendored.name = {State::known, std::string(stem), place};
}

Cell archive_cell(NodeRef root, std::string_view key, Place place) {
    Cell cell = cell_at(place.file, root, {key});
    cell.place = place; // bytes inside the archive have no place of their own
    return cell;
}

Vendored read_archive(const Tree& tree, FileId id) {
    Vendored vendored;
    vendored.file = id;
    vendored.archive = true;
    Place place{id, {}};
    File file = tree.files[id];
    if (file.state == FileState::listed) read_file(tree, file);
    auto wanted = [](std::string_view path) {
        std::size_t slash = path.find('/');
        return slash != std::string_view::npos && path.substr(slash) == "/Chart.yaml";
    };
    if (file.text.empty()) {
        vendored.problem = file.why.empty() ? "is empty" : file.why;
    } else if (file.text.starts_with("version https://git-lfs.github.com/spec/v1")) {
        vendored.problem = "is a Git LFS pointer";
    } else {
        Result<std::vector<ArchiveMember>> members = read_tgz(file.text, wanted, tree.archive);
        if (!members)
            vendored.problem = members.error().message;
        else if (members->empty())
            vendored.problem = "has no Chart.yaml";
        else {
            YamlText yaml = parse_yaml(members->front().text);
            NodeRef root = yaml.documents.empty() ? NodeRef() : NodeRef(&yaml, yaml.documents.front().root);
            vendored.name = archive_cell(root, "name", place);
            vendored.version = archive_cell(root, "version", place);
            vendored.app_version = archive_cell(root, "appVersion", place);
            return vendored;
        }
    }
    take_name_from_file(vendored, file.path, place);
    return vendored;
}

void take_file(Index& index, Chart& chart, FileId id, const ChartPlace& where) {
    std::string_view path = index.tree->files[id].path;
    std::string_view rest = chart.dir.empty() ? path : path.substr(chart.dir.size() + 1);
    bool at_top = rest.find('/') == std::string_view::npos;
    if (where.in_templates)
        chart.templates.push_back(id);
    else if (rest == ".helmignore")
        chart.helmignore = true;
    else if (at_top && rest.find("values") != std::string_view::npos && is_indexable(rest))
        chart.values_files.push_back(id);
    else if (rest.starts_with("charts/") && rest.ends_with(".tgz") && rest.find('/', 7) == std::string_view::npos)
        chart.vendored.push_back(read_archive(*index.tree, id));
}

} // namespace

void link_charts(Index& index, const Layout& layout) {
    for (EntityId id = 0; id < index.charts.size(); ++id) {
        Chart& chart = index.charts[id];
        index.chart_by_dir.emplace(chart.dir, id);
        if (!chart.subchart && is_known(chart.name)) index.charts_by_name[chart.name.text].push_back(id);
    }
    for (FileId id = 0; id < index.tree->files.size() && !index.charts.empty(); ++id) {
        std::optional<ChartPlace> where = layout.chart_of(index.tree->files[id].path);
        if (!where) continue;
        auto chart = index.chart_by_dir.find(std::string(where->dir));
        if (chart != index.chart_by_dir.end()) take_file(index, index.charts[chart->second], id, *where);
    }
    for (const Chart& chart : index.charts) {
        if (!chart.subchart) continue;
        auto parent = index.chart_by_dir.find(std::string(directory_of(directory_of(chart.dir))));
        if (parent == index.chart_by_dir.end()) continue;
        index.charts[parent->second].vendored.push_back(
            {chart.name, chart.version, chart.app_version, chart.file, false, {}});
    }
    for (ChartSide& side : index.chart_sides) {
        auto found = index.chart_by_dir.find(side.dir);
        if (found == index.chart_by_dir.end()) continue;
        Chart& chart = index.charts[found->second];
        if (side.lock) chart.lock_file = side.file;
        std::vector<ChartDependency>& to = side.lock ? chart.lock : chart.dependencies;
        to.insert(to.end(), side.dependencies.begin(), side.dependencies.end());
    }
}

EntityId local_chart(const Index& index, std::string_view name, std::string_view near_path) {
    auto found = index.charts_by_name.find(std::string(name));
    if (found == index.charts_by_name.end()) return no_entity;
    EntityId best = no_entity;
    std::size_t best_common = 0;
    for (EntityId id : found->second) {
        const std::string& dir = index.charts[id].dir;
        std::size_t common = 0;
        while (common < dir.size() && common < near_path.size() && dir[common] == near_path[common])
            ++common;
        if (best != no_entity && common <= best_common) continue;
        best = id;
        best_common = common;
    }
    return best;
}

void link_dependencies(Index& index) {
    for (EntityId id = 0; id < index.charts.size(); ++id) {
        const Chart& chart = index.charts[id];
        for (std::uint32_t number = 0; number < chart.dependencies.size(); ++number) {
            const ChartDependency& dependency = chart.dependencies[number];
            DependencyEdge edge;
            edge.chart = id;
            edge.dependency = number;
            const std::string& repository = dependency.repository.text;
            if (is_known(dependency.repository) && repository.starts_with("file://")) {
                edge.by_file = edge.own = true;
                std::optional<std::string> dir = join_path(chart.dir, std::string_view(repository).substr(7));
                auto local = dir ? index.chart_by_dir.find(*dir) : index.chart_by_dir.end();
                if (local != index.chart_by_dir.end()) edge.local = local->second;
            } else if (is_known(dependency.repository) && is_own_registry(index, registry_key(repository))) {
                edge.own = true;
                if (is_known(dependency.name)) edge.local = local_chart(index, dependency.name.text, chart.dir);
            }
            for (std::uint32_t i = 0; i < chart.vendored.size(); ++i)
                if (chart.vendored[i].name.text == dependency.name.text) edge.vendored = i;
            for (std::uint32_t i = 0; i < chart.lock.size(); ++i)
                if (chart.lock[i].name.text == dependency.name.text) edge.lock = i;
            index.dependency_edges.push_back(edge);
        }
    }
}

} // namespace lockstep

// The `catalystBlueprint.upstream` block of a chart's values.yaml, which says what the chart wraps, beside the
// dependency that it should mirror.
#include "index/blueprint_charts.h"
#include "index/cells.h"
#include "index/pin_order.h"
#include "relations/relation.h"
#include <algorithm>
#include <map>

namespace lockstep::upstream_blocks {
namespace {

struct Block {
    Cell chart, version, repo;
    Place place;

    bool templated() const {
        return chart.state == State::templated || version.state == State::templated || repo.state == State::templated;
    }
};

bool has_value(const Cell& cell) {
    return is_set(cell) && !cell.text.empty();
}

std::string normal_url(std::string_view url) {
    while (url.ends_with('/'))
        url.remove_suffix(1);
    return std::string(url);
}

class Blocks {
public:
    Blocks(const RelationInput& input, RelationRows& rows)
        : repository_(input.repository), index_(repository_.index), rows_(rows),
          blueprints_(charts_of_blueprints(index_)) {
        for (const DependencyEdge& edge : index_.dependency_edges)
            if (!edge.own && !is_library(edge)) upstream_[edge.chart].push_back(edge.dependency);
    }

    void add(EntityId id) {
        const Chart& chart = index_.charts[id];
        const auto upstream = upstream_.find(id);
        const std::optional<Block> block = block_of(chart);
        const std::string subject = index_.tree->files[chart.file].path + "#catalystBlueprint";
        if (!block && upstream == upstream_.end()) return;
        const Place first =
            upstream == upstream_.end() ? Place{} : chart.dependencies[upstream->second.front()].name.place;
        NewRow row = rows_.start(block ? block->place : first, subject);
        row.set("chart", chart.name).set("block", block ? "yes" : "no");
        row.set("blueprint", blueprints_.contains(id) ? "yes" : "no");
        if (upstream != upstream_.end()) row.set("dependencies", names(chart, upstream->second), first);
        if (block) fill_in(chart, *block, row);
        rows_.add(std::move(row));
        if (block && !block->templated()) add_repo(chart, *block, subject);
    }

private:
    // Helpers for templates: it renders nothing by itself, so that a chart from scratch may depend on it.
    bool is_library(const DependencyEdge& edge) const {
        const std::string& name = index_.charts[edge.chart].dependencies[edge.dependency].name.text;
        const auto local = index_.charts_by_name.find(name);
        if (local != index_.charts_by_name.end())
            return std::all_of(local->second.begin(), local->second.end(),
                               [&](EntityId id) { return index_.charts[id].type.text == "library"; });
        return name == "common" || name.ends_with("-common") || name.ends_with("-library") || name.ends_with("-lib");
    }

    // By name, then by alias; the order of the list means nothing.
    static const ChartDependency* dependency_called(const Chart& chart, const std::string& name) {
        const ChartDependency* found = nullptr;
        for (const ChartDependency& one : chart.dependencies) {
            if (name.empty()) break;
            if (one.name.text == name) return &one;
            if (is_known(one.alias) && one.alias.text == name) found = &one;
        }
        return found;
    }

    static std::string names(const Chart& chart, const std::vector<std::uint32_t>& numbers) {
        std::string all;
        for (const auto number : numbers)
            all += (all.empty() ? "" : ", ") + chart.dependencies[number].name.text;
        return all;
    }

    // That of the last document that has one.
    std::optional<Block> block_of(const Chart& chart) const {
        std::optional<Block> found;
        const auto file = index_.tree->find(chart.dir.empty() ? "values.yaml" : chart.dir + "/values.yaml");
        if (!file || index_.tree->indexed_text(*file).find("catalystBlueprint") == std::string_view::npos) return found;
        for (const DocumentView& document : repository_.on_demand->files.view(*file).documents) {
            const NodeRef block = document.embedded ? NodeRef() : node_at(document.root, {"catalystBlueprint"});
            if (block)
                found = {cell_at(*file, block, {"upstream", "chart"}), cell_at(*file, block, {"upstream", "version"}),
                         cell_at(*file, block, {"upstream", "repo"}),
                         key_place(*file, document.root, {"catalystBlueprint"})};
        }
        return found;
    }

    void fill_in(const Chart& chart, const Block& block, NewRow& row) const {
        std::string lacks;
        for (const auto& [name, cell] :
             {std::pair{"chart", &block.chart}, std::pair{"version", &block.version}, std::pair{"repo", &block.repo}}) {
            if (has_value(*cell) && name != std::string_view("chart"))
                row.set(name, *cell);
            else if (!has_value(*cell))
                lacks += (lacks.empty() ? "" : " and ") + std::string(name);
        }
        row.set("chart", chart.name);
        if (has_value(block.chart)) row.set("wraps", block.chart);
        if (!lacks.empty()) row.set("lacks", lacks);
        const bool empty = !has_value(block.chart) && !has_value(block.version) && !has_value(block.repo);
        row.set("filled", empty ? "no" : lacks.empty() ? "yes" : "partly");
        if (block.templated()) row.set("doubt", "a templated value");
        const ChartDependency* named = dependency_called(chart, block.chart.text);
        if (!named) return;
        if (named->version.state == State::templated || named->repository.state == State::templated)
            row.set("doubt", "a templated dependency");
        row.set("dependency", named->name).set("asks", named->version);
        const bool same = !is_known(named->version) || !has_value(block.version) ||
                          pin_order(named->version, block.version) == PinOrder::same;
        row.set("same_version", same ? "yes" : "no");
    }

    // Where it comes from is a second row: it may be wrong as well.
    void add_repo(const Chart& chart, const Block& block, const std::string& subject) {
        const ChartDependency* named = dependency_called(chart, block.chart.text);
        if (!named || named->version.state == State::templated || named->repository.state == State::templated) return;
        NewRow row = rows_.start(block.place, subject + ".repo");
        row.set("block", "repo").set("dependency", named->name).set("comes_from", named->repository);
        if (has_value(block.repo)) row.set("repo", block.repo);
        const bool same =
            !is_known(named->repository) || normal_url(block.repo.text) == normal_url(named->repository.text);
        rows_.add(row.set("same_repo", same ? "yes" : "no"));
    }

    const Repository& repository_;
    const Index& index_;
    RelationRows& rows_;
    const std::map<EntityId, const Blueprint*> blueprints_;
    std::map<EntityId, std::vector<std::uint32_t>> upstream_ = {}; // dependencies that are not our own charts
};

void fill(const RelationInput& input, RelationRows& rows) {
    Blocks blocks(input, rows);
    for (EntityId id = 0; id < input.repository.index.charts.size(); ++id)
        if (!input.repository.index.charts[id].subchart) blocks.add(id); // those are judged where they come from
}

} // namespace

constexpr Relation relation{"upstream-blocks",
                            "chart block blueprint dependencies wraps version repo lacks filled dependency asks "
                            "same_version comes_from same_repo doubt",
                            "", fill};

} // namespace lockstep::upstream_blocks

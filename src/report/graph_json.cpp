// The whole graph for programs: nothing folded, every node with its place.
#include "index/cells.h"
#include "report/graph_report.h"
#include <nlohmann/json.hpp>

namespace lockstep {

std::string graph_json(const RepositoryGraph& graph, Locator& locator) {
    using Json = nlohmann::ordered_json;
    Json nodes = Json::array(), edges = Json::array();
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const GraphNode& node = graph.nodes[i];
        Json place = nullptr;
        if (is_there(node.place)) {
            const Location at = locator.locate(node.place);
            place = {{"file", at.path}, {"line", at.begin.line}, {"column", at.begin.column}};
        }
        Json objects = Json::object();
        for (const auto& [kind, count] : node.objects)
            objects[kind] = count;
        nodes.push_back({{"id", i},
                         {"kind", to_string(node.kind)},
                         {"name", node.name},
                         {"cluster", node.cluster},
                         {"lines", node.lines},
                         {"objects", std::move(objects)},
                         {"place", std::move(place)}});
    }
    for (const GraphEdge& edge : graph.edges)
        edges.push_back({{"kind", to_string(edge.kind)}, {"from", edge.from}, {"to", edge.to}, {"label", edge.label}});
    const Json made = {
        {"version", 1}, {"nodes", std::move(nodes)}, {"edges", std::move(edges)}, {"leftOut", graph.left_out}};
    return made.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

} // namespace lockstep

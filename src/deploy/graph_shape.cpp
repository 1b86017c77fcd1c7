// Makes a graph small enough to read: folds leaves into their users, or keeps one neighbourhood.
#include "deploy/graph.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

constexpr std::size_t most_folded_lines = 8;

// Drops nodes that are not kept and gives the rest new numbers.
RepositoryGraph keep_nodes(const RepositoryGraph& graph, const std::vector<bool>& kept) {
    RepositoryGraph made;
    made.left_out = graph.left_out;
    std::vector<std::uint32_t> number(graph.nodes.size(), 0);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        number[i] = static_cast<std::uint32_t>(made.nodes.size());
        if (kept[i]) made.nodes.push_back(graph.nodes[i]);
    }
    std::set<std::tuple<GraphEdge::Kind, std::uint32_t, std::uint32_t, std::string>> joined;
    for (const GraphEdge& edge : graph.edges) {
        if (!kept[edge.from] || !kept[edge.to] || edge.from == edge.to) continue;
        GraphEdge made_edge{edge.kind, number[edge.from], number[edge.to], edge.label};
        if (joined.emplace(made_edge.kind, made_edge.from, made_edge.to, made_edge.label).second)
            made.edges.push_back(std::move(made_edge));
    }
    return made;
}

// Every node that fits and has exactly one edge leading to it becomes a line of the node at its other end.
RepositoryGraph fold_kind(const RepositoryGraph& graph, bool (*fits)(const GraphNode&), bool with_edges) {
    const std::size_t count = graph.nodes.size();
    std::vector<std::uint32_t> users(count, 0), user(count, 0), leaving(count, 0);
    std::vector<const GraphEdge*> entry(count, nullptr);
    for (const GraphEdge& edge : graph.edges) {
        if (edge.kind != GraphEdge::Kind::waits) {
            ++users[edge.to];
            user[edge.to] = edge.from;
            entry[edge.to] = &edge;
            ++leaving[edge.from];
        }
    }
    RepositoryGraph made = graph;
    std::vector<bool> kept(count, true);
    std::vector<std::size_t> folded(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        const GraphNode& node = graph.nodes[i];
        if (!fits(node) || users[i] != 1 || (leaving[i] != 0 && !with_edges) || fits(graph.nodes[user[i]])) continue;
        kept[i] = false;
        GraphNode& to = made.nodes[user[i]];
        if (++folded[user[i]] > most_folded_lines) continue;
        std::string line = node.kind == GraphNode::Kind::source ? "" : std::string(to_string(node.kind)) + " ";
        line += node.name;
        if (!entry[i]->label.empty()) line += " " + entry[i]->label;
        // where an upstream chart comes from, its source says
        for (const std::string& more : node.kind == GraphNode::Kind::chart ? std::vector<std::string>() : node.lines)
            line += ", " + more;
        to.lines.push_back(std::move(line));
    }
    for (std::size_t i = 0; i < count; ++i)
        if (folded[i] > most_folded_lines)
            made.nodes[i].lines.push_back("… and " + std::to_string(folded[i] - most_folded_lines) + " more");
    for (GraphEdge& edge : made.edges) { // what left a folded node leaves its user now
        if (!kept[edge.from]) edge.from = user[edge.from];
        if (!kept[edge.to] && edge.kind == GraphEdge::Kind::waits) edge.to = user[edge.to];
    }
    return keep_nodes(made, kept);
}

bool is_called(const GraphNode& node, std::string_view name) {
    if (node.name == name) return true;
    const std::size_t cut = node.name.find_last_of("/ ");
    return cut != std::string::npos && std::string_view(node.name).substr(cut + 1) == name;
}

} // namespace

RepositoryGraph fold_graph(RepositoryGraph graph, std::size_t most) {
    graph = fold_kind(
        graph, [](const GraphNode& node) { return node.kind == GraphNode::Kind::source; }, false);
    graph = fold_kind(
        graph, [](const GraphNode& node) { return node.kind == GraphNode::Kind::chart && node.lines.size() < 2; },
        false);
    if (graph.nodes.size() > most)
        graph = fold_kind(
            graph, [](const GraphNode& node) { return node.kind == GraphNode::Kind::dependency; }, false);
    if (graph.nodes.size() > most)
        graph = fold_kind(
            graph, [](const GraphNode& node) { return node.kind == GraphNode::Kind::release; }, true);
    return graph;
}

RepositoryGraph focus_graph(const RepositoryGraph& graph, std::string_view name) {
    std::vector<std::vector<std::uint32_t>> up(graph.nodes.size()), down(graph.nodes.size());
    std::vector<bool> kept(graph.nodes.size(), false);
    for (const GraphEdge& edge : graph.edges) {
        if (edge.kind == GraphEdge::Kind::waits) continue;
        up[edge.to].push_back(edge.from);
        down[edge.from].push_back(edge.to);
    }
    std::vector<bool> called(graph.nodes.size(), false);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        called[i] = is_called(graph.nodes[i], name);
    for (const auto* next_of : {&up, &down}) {
        std::vector<std::uint32_t> open;
        std::vector<bool> seen = called;
        for (std::uint32_t i = 0; i < called.size(); ++i)
            if (called[i]) open.push_back(i);
        while (!open.empty()) {
            const std::uint32_t here = open.back();
            open.pop_back();
            kept[here] = true;
            for (std::uint32_t next : (*next_of)[here]) {
                if (!seen[next]) open.push_back(next);
                seen[next] = true;
            }
        }
    }
    for (const GraphEdge& edge : graph.edges)
        if (edge.kind == GraphEdge::Kind::waits && (called[edge.from] || called[edge.to]))
            kept[edge.from] = kept[edge.to] = true;
    return keep_nodes(graph, kept);
}

std::vector<std::string> graph_names(const RepositoryGraph& graph) {
    std::vector<std::string> names;
    for (const GraphNode& node : graph.nodes) {
        names.push_back(node.name);
        const std::size_t cut = node.name.find_last_of("/ ");
        if (cut != std::string::npos) names.push_back(node.name.substr(cut + 1));
    }
    return names;
}

} // namespace lockstep

// The languages of Graphviz and Mermaid. Names come from the repository: nothing in them may end a label.
#include "base/printable.h"
#include "index/cells.h"
#include "report/graph_report.h"
#include <map>

namespace lockstep {
namespace {

std::string dot_text(std::string_view text) {
    std::string printable, made;
    append_printable(printable, text);
    for (char c : printable) {
        if (c == '"' || c == '\\') made += '\\';
        made += c;
    }
    return made;
}

// Mermaid knows no backslash; `#35;` is a character by its number.
std::string mermaid_text(std::string_view text) {
    std::string printable, made;
    append_printable(printable, text);
    for (char c : printable) {
        if (std::string_view("\"#<>&;`|{}[]()\\").find(c) != std::string_view::npos)
            made += "#" + std::to_string(static_cast<unsigned char>(c)) + ";";
        else
            made += c;
    }
    return made;
}

std::string_view dot_style(GraphNode::Kind kind) {
    switch (kind) {
    case GraphNode::Kind::flux:
        return "shape=box, style=\"filled,bold\", fillcolor=\"#dbe9ff\"";
    case GraphNode::Kind::kustomization:
        return "shape=folder, style=filled, fillcolor=\"#eeeeee\"";
    case GraphNode::Kind::release:
        return "shape=box, style=\"filled,rounded\", fillcolor=\"#dff5e1\"";
    case GraphNode::Kind::chart:
        return "shape=component, style=filled, fillcolor=\"#fff3d6\"";
    case GraphNode::Kind::dependency:
        return "shape=component";
    case GraphNode::Kind::source:
        return "shape=cylinder";
    }
    return "";
}

std::string_view dot_style(GraphEdge::Kind kind) {
    switch (kind) {
    case GraphEdge::Kind::waits:
        return "style=dashed, color=\"#b03030\", constraint=false, ";
    case GraphEdge::Kind::from:
        return "style=dotted, ";
    case GraphEdge::Kind::applies:
    case GraphEdge::Kind::installs:
    case GraphEdge::Kind::depends:
        break;
    }
    return "";
}

std::string edge_label(const GraphEdge& edge) {
    if (edge.kind == GraphEdge::Kind::waits) return "waits for";
    return edge.label;
}

} // namespace

std::string place_text(Place place, Locator& locator) {
    if (!is_there(place)) return {};
    const Location at = locator.locate(place);
    return std::string(at.path) + ":" + std::to_string(at.begin.line);
}

std::vector<std::pair<std::string, std::vector<std::uint32_t>>> by_cluster(const RepositoryGraph& graph) {
    std::vector<std::pair<std::string, std::vector<std::uint32_t>>> groups;
    std::map<std::string, std::size_t> known;
    std::vector<std::uint32_t> rest;
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
        const std::string& cluster = graph.nodes[i].cluster;
        if (cluster.empty()) {
            rest.push_back(i);
            continue;
        }
        const auto [at, fresh] = known.emplace(cluster, groups.size());
        if (fresh) groups.push_back({cluster, {}});
        groups[at->second].second.push_back(i);
    }
    groups.push_back({"", std::move(rest)});
    return groups;
}

std::string graph_dot(const RepositoryGraph& graph, Locator& locator) {
    std::string out = "// made by `lockstep graph`; draw it with: dot -Tsvg\ndigraph lockstep {\n  rankdir=LR;\n"
                      "  node [fontname=\"sans-serif\", fontsize=10];\n  edge [fontname=\"sans-serif\", fontsize=9];\n";
    std::size_t number = 0;
    for (const auto& [cluster, nodes] : by_cluster(graph)) {
        if (!cluster.empty())
            out += "  subgraph cluster_" + std::to_string(number++) + " {\n    label=\"" + dot_text(cluster) +
                   "\";\n    style=rounded;\n";
        for (std::uint32_t i : nodes) {
            const GraphNode& node = graph.nodes[i];
            out += (cluster.empty() ? "  n" : "    n") + std::to_string(i) + " [label=\"" +
                   dot_text(to_string(node.kind)) + "\\n" + dot_text(node.name);
            for (const std::string& line : node.lines)
                out += "\\n" + dot_text(line);
            out += "\", tooltip=\"" + dot_text(place_text(node.place, locator)) + "\", " +
                   std::string(dot_style(node.kind)) + "];\n";
        }
        if (!cluster.empty()) out += "  }\n";
    }
    for (const GraphEdge& edge : graph.edges) {
        const std::string label = edge_label(edge);
        out += "  n" + std::to_string(edge.from) + " -> n" + std::to_string(edge.to) + " [" +
               std::string(dot_style(edge.kind)) + (label.empty() ? "" : "label=\"" + dot_text(label) + "\"") + "];\n";
    }
    return out + "}\n";
}

std::string graph_mermaid(const RepositoryGraph& graph, Locator&) {
    std::string out = "flowchart LR\n";
    std::size_t number = 0;
    for (const auto& [cluster, nodes] : by_cluster(graph)) {
        if (!cluster.empty())
            out += "  subgraph c" + std::to_string(number++) + "[\"" + mermaid_text(cluster) + "\"]\n";
        for (std::uint32_t i : nodes) {
            const GraphNode& node = graph.nodes[i];
            const bool store = node.kind == GraphNode::Kind::source;
            const bool round = node.kind == GraphNode::Kind::release;
            out += (cluster.empty() ? "  n" : "    n") + std::to_string(i) +
                   (store   ? "[(\""
                    : round ? "(\""
                            : "[\"") +
                   mermaid_text(to_string(node.kind)) + "<br/>" + mermaid_text(node.name);
            for (const std::string& line : node.lines)
                out += "<br/>" + mermaid_text(line);
            out += store ? "\")]\n" : round ? "\")\n" : "\"]\n";
        }
        if (!cluster.empty()) out += "  end\n";
    }
    for (const GraphEdge& edge : graph.edges) {
        const bool dotted = edge.kind == GraphEdge::Kind::waits || edge.kind == GraphEdge::Kind::from;
        const std::string label = edge_label(edge);
        out += "  n" + std::to_string(edge.from) + (dotted ? " -.->" : " -->") +
               (label.empty() ? "" : "|\"" + mermaid_text(label) + "\"|") + " n" + std::to_string(edge.to) + "\n";
    }
    return out;
}

} // namespace lockstep

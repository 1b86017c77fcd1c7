// The repository as a reader draws it: Flux Kustomizations by cluster, the releases they apply, charts and their
// dependencies, sources, and what waits for what. Plain objects are counts. For `lockstep graph`.
#pragma once
#include "deploy/fleet.h"

namespace lockstep {

struct GraphNode {
    enum class Kind : std::uint8_t { flux, kustomization, release, chart, dependency, source } kind = Kind::flux;
    std::string name;                    // `namespace/name`, a folder, a chart
    std::vector<std::string> lines = {}; // more to say: path, version, what was folded into it
    std::string cluster = {};            // the folder it is called by; empty: outside of all
    Place place = {};
    std::map<std::string, std::size_t> objects = {}; // plain objects by kind
};

struct GraphEdge {
    enum class Kind : std::uint8_t { applies, installs, depends, from, waits } kind = Kind::applies;
    std::uint32_t from = 0, to = 0;
    std::string label = {}; // the pin
};

struct RepositoryGraph {
    std::vector<GraphNode> nodes;
    std::vector<GraphEdge> edges;
    // Kustomizations that add nothing: plain objects only, or what Flux applies anyway.
    std::size_t left_out = 0;
};

RepositoryGraph build_graph(const Index& index, const Fleet& fleet);

// A source or an upstream chart with one user becomes a line of it; above `most` nodes releases become lines of what
// applies them, and dependencies lines of their charts.
RepositoryGraph fold_graph(RepositoryGraph graph, std::size_t most);

// The nodes called so (by the whole name or its last part), all that is above them and below, and what they wait for
// or what waits for them. Empty when there is none.
RepositoryGraph focus_graph(const RepositoryGraph& graph, std::string_view name);
std::vector<std::string> graph_names(const RepositoryGraph& graph);

std::string_view to_string(GraphNode::Kind kind);
std::string_view to_string(GraphEdge::Kind kind);

} // namespace lockstep

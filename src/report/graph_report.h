// A graph for Graphviz, for Mermaid, and for programs.
#pragma once
#include "deploy/graph.h"
#include "tree/locate.h"
#include <string>

namespace lockstep {

std::string graph_dot(const RepositoryGraph& graph, Locator& locator);
std::string graph_mermaid(const RepositoryGraph& graph, Locator& locator);
std::string graph_json(const RepositoryGraph& graph, Locator& locator); // ends with a line break

// Clusters in the order of their first node, each with its nodes; the last one, without a name, is all the rest.
std::vector<std::pair<std::string, std::vector<std::uint32_t>>> by_cluster(const RepositoryGraph& graph);
std::string place_text(Place place, Locator& locator); // `path:line`

} // namespace lockstep

// Rings in a graph of things that wait for one another.
#pragma once
#include <cstddef>
#include <vector>

namespace lockstep {

using Graph = std::vector<std::vector<std::size_t>>; // per node: the nodes it points to

// One ring for each group of nodes that all reach each other, and each node that points to itself: its nodes in order,
// the smallest first. Linear in nodes and edges, and without recursion: a chain may be as long as the repository.
std::vector<std::vector<std::size_t>> find_cycles(const Graph& graph);

} // namespace lockstep

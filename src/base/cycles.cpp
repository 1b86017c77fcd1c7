// Tarjan's strongly connected components with a stack of its own, then the shortest ring in each.
#include "base/cycles.h"
#include <algorithm>
#include <limits>

namespace lockstep {
namespace {

constexpr std::size_t unset = std::numeric_limits<std::size_t>::max();

struct Components {
    const Graph& graph;
    std::vector<std::size_t> number, low, component;
    std::vector<std::size_t> open;                         // nodes whose component is not closed yet
    std::vector<std::pair<std::size_t, std::size_t>> path; // node, next edge
    std::size_t seen = 0, count = 0;

    explicit Components(const Graph& of)
        : graph(of), number(of.size(), unset), low(of.size(), 0), component(of.size(), unset) {
        for (std::size_t node = 0; node < graph.size(); ++node)
            if (number[node] == unset) walk(node);
    }

    void enter(std::size_t node) {
        number[node] = low[node] = seen++;
        open.push_back(node);
        path.emplace_back(node, 0);
    }

    void leave(std::size_t node) {
        path.pop_back();
        if (!path.empty()) low[path.back().first] = std::min(low[path.back().first], low[node]);
        if (low[node] != number[node]) return;
        for (bool more = true; more; open.pop_back()) {
            component[open.back()] = count;
            more = open.back() != node;
        }
        ++count;
    }

    void walk(std::size_t root) {
        enter(root);
        while (!path.empty()) {
            const std::size_t node = path.back().first;
            if (path.back().second == graph[node].size()) {
                leave(node);
                continue;
            }
            const std::size_t next = graph[node][path.back().second++];
            if (number[next] == unset)
                enter(next);
            else if (component[next] == unset)
                low[node] = std::min(low[node], number[next]);
        }
    }
};

// The shortest way from `start` back to itself inside its component.
std::vector<std::size_t> ring(const Graph& graph, const std::vector<std::size_t>& component, std::size_t start,
                              std::vector<std::size_t>& from) {
    std::vector<std::size_t> queue = {start};
    for (std::size_t i = 0; i < queue.size(); ++i) {
        for (std::size_t next : graph[queue[i]]) {
            if (next == start) {
                std::vector<std::size_t> nodes;
                for (std::size_t at = queue[i]; at != start; at = from[at])
                    nodes.push_back(at);
                nodes.push_back(start);
                std::reverse(nodes.begin(), nodes.end());
                return nodes;
            }
            if (component[next] != component[start] || from[next] != unset) continue;
            from[next] = queue[i];
            queue.push_back(next);
        }
    }
    return {};
}

} // namespace

std::vector<std::vector<std::size_t>> find_cycles(const Graph& graph) {
    const Components found(graph);
    std::vector<std::vector<std::size_t>> rings;
    std::vector<bool> done(found.count, false);
    std::vector<std::size_t> from(graph.size(), unset); // components do not share nodes: one table serves all
    for (std::size_t node = 0; node < graph.size(); ++node) {
        if (done[found.component[node]]) continue;
        done[found.component[node]] = true;
        std::vector<std::size_t> nodes = ring(graph, found.component, node, from);
        if (!nodes.empty()) rings.push_back(std::move(nodes));
    }
    return rings;
}

} // namespace lockstep

#include "deploy/graph.h"
#include "fleet_in_memory.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

GraphNode node(GraphNode::Kind kind, std::string name) {
    return {kind, std::move(name)};
}

const GraphNode* find(const RepositoryGraph& graph, std::string_view name) {
    const auto found =
        std::find_if(graph.nodes.begin(), graph.nodes.end(), [&](const GraphNode& one) { return one.name == name; });
    return found == graph.nodes.end() ? nullptr : &*found;
}

// flux a applies releases x and y, flux b waits for a; x comes from its own source, both from a shared one.
RepositoryGraph sample() {
    using Kind = GraphNode::Kind;
    RepositoryGraph graph;
    graph.nodes = {node(Kind::flux, "ns/a"),         node(Kind::flux, "ns/b"),      node(Kind::release, "web/x"),
                   node(Kind::release, "web/y"),     node(Kind::source, "Git own"), node(Kind::source, "Git shared"),
                   node(Kind::chart, "app-template")};
    using Edge = GraphEdge::Kind;
    graph.edges = {
        {Edge::applies, 0, 2}, {Edge::applies, 0, 3}, {Edge::waits, 1, 3},           {Edge::from, 2, 4},
        {Edge::from, 3, 5},    {Edge::from, 2, 5},    {Edge::installs, 2, 6, "1.0"}, {Edge::installs, 3, 6, "2.0"}};
    return graph;
}

} // namespace

TEST_CASE("a source with one user is a line of it, a shared one stays") {
    const RepositoryGraph graph = fold_graph(sample(), 100);
    CHECK(find(graph, "Git own") == nullptr);
    CHECK(find(graph, "Git shared") != nullptr);
    REQUIRE(find(graph, "web/x") != nullptr);
    CHECK(find(graph, "web/x")->lines == std::vector<std::string>{"Git own"});
    CHECK(graph.edges.size() == 7);
}

TEST_CASE("a graph that is too large folds releases into what applies them and keeps their edges") {
    const RepositoryGraph graph = fold_graph(sample(), 3);
    CHECK(find(graph, "web/x") == nullptr);
    REQUIRE(find(graph, "ns/a") != nullptr);
    CHECK(find(graph, "ns/a")->lines == std::vector<std::string>{"HelmRelease web/x, Git own", "HelmRelease web/y"});
    std::vector<std::string> edges;
    for (const GraphEdge& edge : graph.edges)
        edges.push_back(graph.nodes[edge.from].name + " " + std::string(to_string(edge.kind)) + " " +
                        graph.nodes[edge.to].name + " " + edge.label);
    std::sort(edges.begin(), edges.end());
    CHECK(edges == std::vector<std::string>{"ns/a from Git shared ", "ns/a installs app-template 1.0",
                                            "ns/a installs app-template 2.0", "ns/b waits for ns/a "});
}

TEST_CASE("many folded lines end in a count") {
    RepositoryGraph graph;
    graph.nodes.push_back(node(GraphNode::Kind::flux, "ns/a"));
    for (std::uint32_t i = 1; i <= 20; ++i) {
        graph.nodes.push_back(node(GraphNode::Kind::release, "web/r" + std::to_string(i)));
        graph.edges.push_back({GraphEdge::Kind::applies, 0, i});
    }
    graph = fold_graph(std::move(graph), 5);
    REQUIRE(graph.nodes.size() == 1);
    CHECK(graph.nodes[0].lines.size() == 9);
    CHECK(graph.nodes[0].lines.back() == "… and 12 more");
}

TEST_CASE("focus takes what is above, below and what waits, by whole or last name") {
    for (const char* name : {"web/y", "y"}) {
        const RepositoryGraph graph = focus_graph(sample(), name);
        CHECK(graph.nodes.size() == 5); // y, a above, the shared source and the chart below, b waits
        CHECK(find(graph, "web/x") == nullptr);
        CHECK(find(graph, "ns/b") != nullptr);
    }
    CHECK(focus_graph(sample(), "none").nodes.empty());
}

TEST_CASE("two Flux Kustomizations of one name in two clusters are two nodes, each in its cluster") {
    const std::string flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: apps, "
                             "namespace: flux-system }\nspec: { path: ./apps, sourceRef: { kind: GitRepository, name: "
                             "flux-system } }\n";
    const BuiltFleet made = fleet_for({{"clusters/a/apps.yaml", flux},
                                       {"clusters/b/apps.yaml", flux},
                                       {"apps/x.yaml", "apiVersion: v1\nkind: Service\nmetadata: { name: x }\n"}});
    const RepositoryGraph graph = build_graph(made.built.index, *made.fleet);
    REQUIRE(graph.nodes.size() == 2);
    CHECK(graph.nodes[0].cluster == "clusters/a");
    CHECK(graph.nodes[1].cluster == "clusters/b");
    CHECK(graph.nodes[0].lines == std::vector<std::string>{"./apps", "1 object: 1 Service"});
}

// Rings are found whatever their shape, each once, and a long chain costs neither stack nor time.
#include "base/cycles.h"
#include <doctest/doctest.h>

namespace lockstep {

TEST_CASE("a graph without rings has none") {
    CHECK(find_cycles({}).empty());
    CHECK(find_cycles({{1, 2}, {2}, {}}).empty());
}

TEST_CASE("a node that points to itself is a ring of one") {
    CHECK(find_cycles({{1}, {1}}) == std::vector<std::vector<std::size_t>>{{1}});
}

TEST_CASE("a ring is told in its own order, smallest node first, by its shortest way") {
    CHECK(find_cycles({{2}, {0}, {1}}) == std::vector<std::vector<std::size_t>>{{0, 2, 1}});
    CHECK(find_cycles({{1, 2}, {2}, {0}}) == std::vector<std::vector<std::size_t>>{{0, 2}});
}

TEST_CASE("separate rings are told apart, and what only leads to one is not in it") {
    CHECK(find_cycles({{1}, {2}, {1, 3}, {4}, {3}}) == std::vector<std::vector<std::size_t>>{{1, 2}, {3, 4}});
}

TEST_CASE("a chain of 200,000 that closes at its end is one ring") {
    constexpr std::size_t size = 200'000;
    Graph graph(size);
    for (std::size_t node = 0; node < size; ++node)
        graph[node] = {(node + 1) % size};
    const auto rings = find_cycles(graph);
    REQUIRE(rings.size() == 1);
    CHECK(rings[0].size() == size);
    CHECK(rings[0][1] == 1);
}

} // namespace lockstep

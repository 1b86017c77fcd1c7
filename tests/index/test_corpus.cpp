#include "build_in_memory.h"
#include "index/relations.h"
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>

using namespace lockstep;

namespace {

// Real repositories beside the project's root, when somebody has put them there.
std::string corpus(const char* name) {
    const char* root = std::getenv("LOCKSTEP_SOURCE_ROOT");
    std::string path = (root ? std::string(root) : std::string(".")) + "/../shared/corpus/" + name;
    return std::filesystem::is_directory(path) ? path : std::string();
}

std::size_t count(const Table& table, std::string_view column, std::string_view value) {
    std::size_t found = 0;
    for (const Row& row : table.rows)
        if (row.cells[*table.column(column)].text == value) ++found;
    return found;
}

} // namespace

TEST_CASE("every kit of a real repository leads from its releases to its charts") {
    std::string path = corpus("openova-flux-split");
    if (path.empty()) {
        MESSAGE("skipped: no corpus beside the project");
        return;
    }
    Result<Tree> tree = walk(path, {});
    REQUIRE(tree);
    Built built = build_tree(std::move(*tree));
    CHECK(built.index.own_registry_keys == std::vector<std::string>{"ghcr.io/openova-io"});
    const Table table = releases_with_charts(built.index);
    CHECK(count(table, "own", "true") >= 22);
    CHECK(count(table, "tree", "clusters/_template") == 12);
    for (const Row& row : table.rows)
        if (row.cells[*table.column("own")].text == "true")
            CHECK(row.cells[*table.column("chart_version")].state == State::known);
    CHECK(built.index.blueprints.size() == 11);
    CHECK(built.object("Secret", "ghcr-pull").bootstrap);
    CHECK(built.object("Kustomization", "infrastructure-config").bootstrap);
    for (const ListedEdge& edge : built.index.listed_edges)
        CHECK(edge.target != Target::outside);
}

TEST_CASE("in healthy repositories every reference finds its target") {
    for (const char* name : {"flux2-kustomize-helm-example", "onedr0p-home-ops"}) {
        std::string path = corpus(name);
        if (path.empty()) {
            MESSAGE("skipped: no corpus beside the project");
            return;
        }
        Result<Tree> tree = walk(path, {});
        REQUIRE(tree);
        Built built = build_tree(std::move(*tree));
        const Index& index = built.index;
        for (const ListedEdge& edge : index.listed_edges) {
            CAPTURE(edge.path);
            CHECK((edge.target == Target::file || edge.target == Target::directory || edge.target == Target::remote));
        }
        for (EntityId id = 0; id < index.releases.size(); ++id) {
            CAPTURE(subject_of(index, index.objects[index.releases[id].object]));
            if (!index.releases[id].partial) CHECK(index.release_edges[id].source != no_entity);
            for (EntityId target : index.release_edges[id].depends_on)
                CHECK(target != no_entity);
        }
        for (EntityId id = 0; id < index.flux_edges.size(); ++id) {
            CAPTURE(subject_of(index, index.objects[index.flux_kustomizations[id].object]));
            for (EntityId target : index.flux_edges[id].depends_on)
                CHECK(target != no_entity);
        }
    }
}

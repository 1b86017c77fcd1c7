// Registries that workflows push charts to are ours.
#include "build_in_memory.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

Built with_step(const std::string& lines) {
    return build({
        {".github/workflows/release.yaml", "jobs:\n  a:\n    steps:\n      - run: |\n" + lines},
        {"charts/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n"},
        {"charts/all/Chart.yaml", "apiVersion: v2\nname: all\nversion: 1.0.0\ndependencies:\n- name: web\n"
                                  "  version: 1.0.0\n  repository: oci://r.example.org/acme\n"},
    });
}

} // namespace

TEST_CASE("a registry that a workflow pushes charts to is our own") {
    const Built built = with_step("          helm push out/web.tgz oci://r.example.org/acme\n");
    REQUIRE(built.index.own_registry_keys == std::vector<std::string>{"r.example.org/acme"});
    REQUIRE(built.index.dependency_edges.size() == 1);
    CHECK(built.index.dependency_edges[0].own);
    CHECK(built.index.dependency_edges[0].local != no_entity);
    CHECK_FALSE(built.index.published.stamped);
}

TEST_CASE("a push inside a substitution and behind a resolved variable counts") {
    CHECK(with_step("          d=$(helm push \"$f\" oci://r.example.org/acme 2>&1 | tail -1)\n")
              .index.own_registry_keys.size() == 1);
    CHECK(
        with_step("          R=r.example.org/acme\n          helm push x.tgz \"oci://$R\"\n").index.own_registry_keys ==
        std::vector<std::string>{"r.example.org/acme"});
}

TEST_CASE("a comment, a pull and an unknown registry make nothing ours") {
    for (const char* line : {"          # helm push x.tgz oci://r.example.org/acme\n",
                             "          helm pull oci://r.example.org/acme/web\n",
                             "          helm push x.tgz oci://${{ vars.REGISTRY }}/acme\n",
                             "          docker push r.example.org/acme/web\n"}) {
        CAPTURE(line);
        CHECK(with_step(line).index.own_registry_keys.empty());
    }
}

TEST_CASE("versions stamped while packaging are told") {
    CHECK(with_step("          helm package charts/web --version \"$TAG\"\n").index.published.stamped);
    CHECK_FALSE(with_step("          helm package charts/web --app-version 1\n").index.published.stamped);
}

TEST_CASE("a shell file that pushes charts makes the registry ours, and stamps only when it pushes") {
    CHECK(published_by_script("#!/bin/sh\nhelm push x.tgz oci://r.example.org/acme\n").registries ==
          std::vector<std::string>{"oci://r.example.org/acme"});
    CHECK_FALSE(published_by_script("helm package . --version 1.0.0\n").stamped);
    CHECK(published_by_script("helm package . --version \"$1\"\nhelm push x.tgz oci://r.example.org/a\n").stamped);
}

// Registries that workflows push charts to are ours, and scripts say which folders artifacts are made of.
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
    CHECK(published_by_script("push.sh", "#!/bin/sh\nhelm push x.tgz oci://r.example.org/acme\n").registries ==
          std::vector<std::string>{"oci://r.example.org/acme"});
    CHECK_FALSE(published_by_script("push.sh", "helm package . --version 1.0.0\n").stamped);
    CHECK(published_by_script("push.sh", "helm package . --version \"$1\"\nhelm push x.tgz oci://r.example.org/a\n")
              .stamped);
}

TEST_CASE("a folder that a script pushes is known with its repository and tag") {
    const auto pushed = [](std::string text) { return published_by_script("ci/push.sh", text).artifacts; };
    const auto one =
        pushed("D=apps\nflux push artifact \"oci://R.example.org/acme/fleet:v1\" --path=./$D --source=x\n");
    REQUIRE(one.size() == 1);
    CHECK(one[0].key == "r.example.org/acme/fleet");
    CHECK(one[0].tag == "v1");
    CHECK(one[0].dirs == std::vector<std::string>{"apps", "ci/apps"});
    const auto sha = pushed("flux push artifact oci://r.example.org/fleet:$(git rev-parse HEAD) -f deploy\n");
    REQUIRE(sha.size() == 1);
    CHECK(sha[0].tag.empty());
    CHECK(sha[0].dirs == std::vector<std::string>{"deploy", "ci/deploy"});
    CHECK(pushed("cd \"$(git rev-parse --show-toplevel)\"\nflux push artifact oci://r/x --path=.\n")[0].dirs ==
          std::vector<std::string>{""});
    CHECK(pushed("cd apps\nflux push artifact oci://r/x --path=web\n")[0].dirs ==
          std::vector<std::string>{"apps/web", "ci/apps/web"});
}

TEST_CASE("what only the run knows names no folder and no repository") {
    const auto pushed = [](std::string text) { return published_by_script("push.sh", text).artifacts; };
    CHECK(pushed("flux push artifact \"oci://$1\" --path=\"$2\"\n").empty());
    CHECK(pushed("flux push artifact oci://r.example.org/${NAME}-x --path=apps\n").empty());
    CHECK(pushed("cd \"$WHERE\"\nflux push artifact oci://r/x --path=apps\n")[0].dirs.empty());
    CHECK(pushed("flux push artifact oci://r/x --path=\"$1\"\n")[0].dirs.empty());
    CHECK(pushed("# flux push artifact oci://r/x --path=apps\n").empty());
    CHECK(pushed("flux pull artifact oci://r/x --output=apps\n").empty());
}

TEST_CASE("files of make, just and Task push with the lines of their recipes") {
    const auto make =
        artifacts_pushed_by_lines("Makefile", "push:\n\t@flux push artifact oci://r/x:$(TAG) \\\n\t  --path=./apps\n");
    REQUIRE(make.size() == 1);
    CHECK(make[0].key == "r/x");
    CHECK(make[0].dirs == std::vector<std::string>{"apps"});
    const auto task = artifacts_pushed_by_lines(
        ".taskfiles/Taskfile.yaml",
        "tasks:\n  push:\n    cmds:\n      - flux push artifact oci://r/x:{{.TAG}} --path=apps\n"
        "      - cmd: flux tag artifact oci://r/x:v1 --tag latest\n");
    REQUIRE(task.size() == 2);
    CHECK(task[0].dirs == std::vector<std::string>{"apps", ".taskfiles/apps"});
    CHECK(task[1].tag == "latest");
    CHECK(task[1].dirs.empty());
}

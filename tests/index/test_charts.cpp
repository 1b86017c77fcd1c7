#include "build_in_memory.h"
#include "index/relations.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

std::string chart(std::string name, std::string version, std::string more = {}) {
    return "apiVersion: v2\nname: " + name + "\nversion: " + version + "\n" + more;
}

std::string release(std::string name, std::string chart_name, std::string version, std::string repository) {
    return "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: " + name +
           ", namespace: flux-system }\nspec:\n  chart:\n    spec:\n      chart: " + chart_name +
           "\n      version: " + version + "\n      sourceRef: { kind: HelmRepository, name: " + repository + " }\n";
}

std::string repository(std::string name, std::string url) {
    return "apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: { name: " + name +
           ", namespace: flux-system }\nspec: { url: \"" + url + "\" }\n";
}

std::string cell(const Table& table, std::size_t row, std::string_view column) {
    return table.rows.at(row).cells.at(*table.column(column)).text;
}

// charts/flux2-2.13.0.tgz with flux2/Chart.yaml {name: flux2, version: 2.13.0, appVersion: 2.3.0}, made by tar and gzip
const unsigned char archive[] = {
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xed, 0xd2, 0xbd, 0x0a, 0xc2, 0x30, 0x14, 0x40, 0xe1,
    0xcc, 0x79, 0x8a, 0x3c, 0x41, 0x4c, 0xd3, 0x68, 0xa1, 0xab, 0xef, 0xd0, 0x3d, 0x43, 0x8b, 0x85, 0xb6, 0x86, 0xf4,
    0x07, 0x7d, 0x7b, 0x13, 0x41, 0x0a, 0xee, 0xea, 0xe0, 0xf9, 0x96, 0x7b, 0x39, 0xcb, 0x5d, 0x6e, 0x37, 0xac, 0x37,
    0x7b, 0x38, 0x5f, 0x7c, 0x5c, 0xf4, 0xdd, 0x8f, 0x83, 0xf8, 0x00, 0x93, 0x9c, 0x9c, 0x7b, 0xce, 0xe4, 0x7d, 0x1a,
    0x53, 0x1d, 0xf7, 0x3d, 0xf7, 0xc2, 0x54, 0xa5, 0x13, 0xca, 0x88, 0x2f, 0x58, 0xe7, 0xc5, 0xc7, 0x74, 0x5e, 0xfc,
    0x27, 0x1f, 0xfa, 0xa6, 0x8d, 0x73, 0x7f, 0x9d, 0x6a, 0xb5, 0x59, 0x39, 0xf9, 0xb1, 0xad, 0x55, 0x97, 0x9f, 0x42,
    0x6e, 0xaf, 0x6e, 0x75, 0x51, 0x6a, 0x23, 0x7d, 0x08, 0xcd, 0x9e, 0x72, 0x11, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x5f, 0x79, 0x00, 0x32, 0x72, 0x6d, 0xbf, 0x00, 0x28, 0x00, 0x00};

} // namespace

TEST_CASE("a chart has its dependencies, lock, values, templates and what is vendored") {
    Built built =
        build({{"c/Chart.yaml", chart("c", "1.0.0",
                                      "appVersion: \"2\"\nannotations: { a/b: \"true\" }\n"
                                      "dependencies:\n  - name: flux2\n    version: 2.13.0\n"
                                      "    repository: https://example.org/\n"
                                      "  - { name: sub, version: ~1.0 }\n")},
               {"c/Chart.lock", "dependencies:\n- name: flux2\n  repository: https://example.org/\n"
                                "  version: 2.12.0\ndigest: sha256:0\n"},
               {"c/charts/flux2-2.13.0.tgz", std::string(reinterpret_cast<const char*>(archive), sizeof archive)},
               {"c/charts/sub/Chart.yaml", chart("sub", "1.0.7")},
               {"c/values.yaml", "a: 1\n"},
               {"c/.helmignore", ""},
               {"c/templates/x.yaml", ""}});
    REQUIRE(built.index.charts.size() == 2);
    const Chart& c = built.index.charts[0];
    CHECK(c.annotations.at(0).key.text == "a/b");
    CHECK(c.helmignore);
    CHECK(c.values_files.size() == 1);
    CHECK(c.templates.size() == 1);
    CHECK(built.index.charts[1].subchart);
    REQUIRE(c.vendored.size() == 2);
    CHECK(c.vendored[0].archive);
    CHECK(c.vendored[0].problem.empty());
    CHECK(c.vendored[0].app_version.text == "2.3.0");
    CHECK(c.vendored[1].version.text == "1.0.7");
    const Table table = dependencies_of_charts(built.index);
    REQUIRE(table.rows.size() == 2);
    CHECK(cell(table, 0, "locked_version") == "2.12.0");
    CHECK(cell(table, 0, "vendored_app_version") == "2.3.0");
    CHECK(cell(table, 1, "vendored_version") == "1.0.7");
    CHECK(table.rows[1].cells[*table.column("locked_version")].state == State::absent);
    CHECK(table.rows[0].subject == "c/Chart.yaml#dependencies[name=flux2]");
}

TEST_CASE("an archive that cannot be read says so and keeps the name of its file") {
    Built built = build({{"c/Chart.yaml", chart("c", "1.0.0")}, {"c/charts/kube-x-1.2.3-rc.1.tgz", "no gzip"}});
    REQUIRE(built.index.charts.at(0).vendored.size() == 1);
    const Vendored& vendored = built.index.charts[0].vendored[0];
    CHECK_FALSE(vendored.problem.empty());
    CHECK(vendored.name.text == "kube-x");
    CHECK(vendored.version.text == "1.2.3-rc.1");
}

TEST_CASE("a release of a local chart leads to it only from an own registry") {
    auto files = [](std::string url) {
        return tree_in_memory({{"charts/web/Chart.yaml", chart("web", "1.2.0")},
                               {"r.yaml", release("web", "web", "1.1.0", "acme")},
                               {"s.yaml", repository("acme", url)}});
    };
    auto own = [&](std::string url, const IndexOptions& options) {
        Built built = build_tree(files(std::move(url)), options);
        const Table table = releases_with_charts(built.index);
        REQUIRE(table.rows.size() == 1);
        CHECK(cell(table, 0, "version") == "1.1.0");
        CHECK(cell(table, 0, "chart_version") == (cell(table, 0, "own") == "true" ? "1.2.0" : ""));
        CHECK(table.rows[0].subject == "r.yaml#HelmRelease/flux-system/web");
        return cell(table, 0, "own");
    };
    CHECK(own("oci://ghcr.io/acme", {}) == "false");
    CHECK(own("oci://ghcr.io/acme/", {{"ghcr.io/acme"}, {}, {}}) == "true");
    CHECK(own("oci://ghcr.io/acme/charts", {{}, {"oci://GHCR.io/acme"}, {}}) == "true");
    CHECK(own("oci://ghcr.io/acme-other", {{"ghcr.io/acme"}, {}, {}}) == "false");
}

TEST_CASE("most charts of a catalyst tree released from a registry make it ours, equal names elsewhere do not") {
    auto own = [](std::size_t count, std::size_t others, bool catalyst) {
        Tree tree;
        std::string releases = repository("acme", "oci://ghcr.io/acme") + "---\n" + repository("else", "oci://q.io/x");
        for (std::size_t i = 0; i < count + others; ++i) {
            std::string name = "c" + std::to_string(i);
            tree.files.push_back({"charts/" + name + "/Chart.yaml", chart(name, "1.0.0")});
            releases += "---\n" + release(name, name, "1.0.0", i < count ? "acme" : "else");
        }
        if (catalyst)
            tree.files.push_back(
                {"b.yaml", "apiVersion: catalyst.openova.io/v1\nkind: Blueprint\nmetadata: { name: bp-x }\n"});
        tree.files.push_back({"r.yaml", releases});
        std::sort(tree.files.begin(), tree.files.end(), [](const File& a, const File& b) { return a.path < b.path; });
        for (File& file : tree.files)
            file.state = FileState::read;
        Built built = build_tree(std::move(tree));
        return built.index.release_edges.at(0).own;
    };
    CHECK(own(3, 2, true));
    CHECK_FALSE(own(2, 0, true));
    CHECK_FALSE(own(3, 3, true)); // no more than half
    CHECK_FALSE(own(3, 0, false));
}

TEST_CASE("a chart in a folder of this repository is ours") {
    Built built =
        build({{"charts/web/Chart.yaml", chart("web", "1.2.0")}, {"r.yaml", R"(apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: web, namespace: a }
spec:
  chart:
    spec:
      chart: ./charts/web
      sourceRef: { kind: GitRepository, name: flux-system, namespace: flux-system }
)"}});
    CHECK(built.index.release_edges.at(0).own);
    CHECK(built.index.release_edges[0].chart == 0);
}

TEST_CASE("dependencies on local charts go by file and by own registry") {
    Built built =
        build({{"a/Chart.yaml", chart("a", "1.0.0")},
               {"b/Chart.yaml", chart("b", "2.0.0",
                                      "dependencies:\n  - { name: a, version: 0.9.0, repository: file://../a }\n"
                                      "  - { name: a, version: 0.8.0, repository: \"oci://own.example/x\" }\n"
                                      "  - { name: a, version: 0.7.0, repository: \"oci://alien.example\" }\n"
                                      "  - { name: gone, version: 0.1.0, repository: \"oci://own.example/x\" }\n")}},
              {{"own.example/x"}, {}, {}});
    const Table table = local_dependencies(built.index);
    REQUIRE(table.rows.size() == 3);
    CHECK(cell(table, 0, "local_version") == "1.0.0");
    CHECK(cell(table, 1, "version") == "0.8.0");
    CHECK(cell(table, 1, "local_dir") == "a");
    CHECK(table.rows[2].cells[*table.column("local_dir")].state == State::absent);
}

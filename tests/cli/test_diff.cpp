// What `lockstep diff` says of clusters, what `lockstep pins` says of patched versions, and whose clusters a finding
// names.
#include "cli/commands.h"
#include "cli/diff_items.h"
#include "deploy/graph.h"
#include "memory_run.h"
#include "report/index_report.h"
#include <nlohmann/json.hpp>

using namespace lockstep;

namespace {

const std::string sync = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n"
                         "metadata: { name: flux-system, namespace: flux-system }\n"
                         "spec: { interval: 1m, url: \"https://git.example.org/fleet\", ref: { branch: main } }\n";

std::string kustomization(const std::string& name, const std::string& path) {
    return "---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: " + name +
           ", namespace: flux-system }\nspec:\n  path: " + path +
           "\n  prune: true\n  sourceRef: { kind: GitRepository, name: flux-system }\n";
}

std::string cluster(const std::string& name, const std::string& apps) {
    return sync + kustomization("flux-system", "./clusters/" + name) + apps;
}

const std::string list = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n";
const std::string settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings, namespace: shop }\n";

std::vector<std::string> differences_in(std::initializer_list<Difference::Section> sections, const MemoryRun& base,
                                        const MemoryRun& head) {
    std::vector<std::string> lines;
    for (const Difference& one : differences(diff_items(base.run->read.repository),
                                             diff_items(head.run->read.repository), base.run->tree, head.run->tree))
        if (std::find(sections.begin(), sections.end(), one.section) != sections.end())
            lines.push_back(one.what + ": " + (one.before ? one.before->value : "-") + " -> " +
                            (one.after ? one.after->value : "-"));
    return lines;
}

std::vector<std::string> cluster_differences(Files before, Files after) {
    return differences_in({Difference::Section::clusters}, run_rule(before, ""), run_rule(after, ""));
}

// Two clusters that apply `apps`, each with something more in the spec of its Flux Kustomization.
MemoryRun two_clusters(const std::string& one, const std::string& two, const std::string& apps = {},
                       const std::string& version = "${VER}") {
    return run_rule(
        {{"clusters/one/sync.yaml", cluster("one", kustomization("apps", "./apps") + one)},
         {"clusters/two/sync.yaml", cluster("two", kustomization("apps", "./apps") + two)},
         {"base/kustomization.yaml", list + "resources: [web.yaml]\n"},
         {"base/web.yaml", "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
                           "metadata: { name: web, namespace: shop }\nspec:\n  chart:\n    spec:\n"
                           "      chart: web\n      version: " +
                               version +
                               "\n      sourceRef: { kind: HelmRepository, name: acme }\n"
                               "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: { name: api, namespace: shop }\n"
                               "spec: { template: { spec: { containers: [{ name: c, image: \"nginx:1\" }] } } }\n"},
         {"apps/kustomization.yaml", list + "resources: [../base]\n" + apps}},
        "");
}

std::vector<std::string> field_differences(const MemoryRun& before, const MemoryRun& after) {
    using Section = Difference::Section;
    return differences_in({Section::pins, Section::sources, Section::depends_on}, before, after);
}

using Lines = std::vector<std::string>;
using Json = nlohmann::json;

std::string substitute(const std::string& version) {
    return "  postBuild: { substitute: { VER: " + version + " } }\n";
}

std::string patch_of(const std::string& kind, const std::string& path, const std::string& value) {
    return "patches:\n  - target: { kind: " + kind + " }\n    patch: |\n      - { op: replace, path: " + path +
           ", value: \"" + value + "\" }\n";
}

} // namespace

TEST_CASE("diff: a variable that changes the version of a release is told, per cluster or once for all") {
    CHECK(field_differences(two_clusters(substitute("1.0.0"), substitute("1.0.0")),
                            two_clusters(substitute("1.0.0"), substitute("1.1.0"))) ==
          Lines{"HelmRelease shop/web version in clusters/two: 1.0.0 -> 1.1.0"});
    CHECK(field_differences(two_clusters(substitute("1.0.0"), substitute("1.0.0")),
                            two_clusters(substitute("1.1.0"), substitute("1.1.0"))) ==
          Lines{"HelmRelease shop/web version: 1.0.0 -> 1.1.0"});
}

TEST_CASE("diff: patches and images of overlays and of Flux change what clusters get") {
    const auto overlay = [](const std::string& more) { return two_clusters("", "", more, "1.0.0"); };
    const std::string version = "/spec/chart/spec/version", image = "/spec/template/spec/containers/0/image";
    CHECK(field_differences(overlay(patch_of("HelmRelease", version, "2.0.0")),
                            overlay(patch_of("HelmRelease", version, "2.1.0"))) ==
          Lines{"HelmRelease shop/web version: 2.0.0 -> 2.1.0"});
    CHECK(field_differences(overlay(patch_of("Deployment", image, "nginx:2")),
                            overlay(patch_of("Deployment", image, "nginx:3"))) ==
          Lines{"image nginx in Deployment shop/api: 2 -> 3"});
    CHECK(field_differences(overlay("images: [{ name: nginx, newTag: \"2\" }]\n"),
                            overlay("images: [{ name: nginx, newTag: \"3\" }]\n")) ==
          Lines{"image nginx in Deployment shop/api: 2 -> 3"});
    const auto flux = [](const std::string& tag) {
        return two_clusters("  images: [{ name: nginx, newTag: \"" + tag + "\" }]\n", "", "", "1.0.0");
    };
    CHECK(field_differences(flux("2"), flux("3")) ==
          Lines{"image nginx in Deployment shop/api in clusters/one: 2 -> 3"});
}

TEST_CASE("index and graph show the version that clusters get, and the listing what is written besides") {
    const auto made = two_clusters(substitute("1.0.0"), substitute("1.0.0"));
    const Repository& repository = made.run->read.repository;
    const Json release =
        Json::parse(index_json(repository.index, *made.run->locator, &fleet_of(repository)))["releases"][0];
    CHECK(release["version"] == "1.0.0");
    CHECK(release["written"]["version"]["templated"] == "${VER}");
    const auto differ = two_clusters(substitute("1.0.0"), substitute("1.1.0"));
    const Repository& other = differ.run->read.repository;
    const Json several = Json::parse(index_json(other.index, *differ.run->locator, &fleet_of(other)))["releases"][0];
    CHECK(several["inClusters"]["version"]["clusters/two"] == "1.1.0");
    const RepositoryGraph graph = build_graph(other.index, fleet_of(other));
    CHECK(std::any_of(graph.edges.begin(), graph.edges.end(),
                      [](const GraphEdge& edge) { return edge.label == "1.0.0, 1.1.0"; }));
}

TEST_CASE("diff: what is written and patched away says so; what one more cluster gets is told of the object") {
    const auto patched = [](const std::string& written) {
        return two_clusters("", "", patch_of("HelmRelease", "/spec/chart/spec/version", "9.0.0"), written);
    };
    CHECK(field_differences(patched("1.0.0"), patched("1.1.0")) ==
          Lines{"HelmRelease shop/web version (as written): 1.0.0 -> 1.1.0"});
    const std::string both = cluster("one", kustomization("apps", "./apps"));
    CHECK(field_differences(run_rule({{"clusters/one/sync.yaml", both}, {"apps/settings.yaml", settings}}, ""),
                            run_rule({{"clusters/one/sync.yaml", both},
                                      {"clusters/two/sync.yaml", cluster("two", kustomization("apps", "./apps"))},
                                      {"apps/settings.yaml", settings}},
                                     "")) ==
          Lines{"Kustomization flux-system/flux-system path in clusters/two: - -> ./clusters/two"});
}

TEST_CASE("diff: an entry that goes takes the object from the cluster, though no manifest changed") {
    const std::string own = cluster("prod", kustomization("apps", "./apps"));
    CHECK(cluster_differences({{"clusters/prod/sync.yaml", own},
                               {"apps/kustomization.yaml", list + "resources: [settings.yaml]\n"},
                               {"apps/settings.yaml", settings}},
                              {{"clusters/prod/sync.yaml", own},
                               {"apps/kustomization.yaml", list + "resources: []\n"},
                               {"apps/settings.yaml", settings}}) ==
          std::vector<std::string>{"ConfigMap shop/settings: clusters/prod -> -"});
}

TEST_CASE("pins: a version that an overlay patches is listed with the cluster that gets it") {
    const std::string release = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
                                "metadata: { name: web, namespace: shop }\nspec:\n  chart:\n    spec:\n"
                                "      chart: web\n      version: 1.0.0\n"
                                "      sourceRef: { kind: HelmRepository, name: acme }\n";
    const std::string source =
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\n"
        "metadata: { name: acme, namespace: shop }\nspec: { url: \"https://charts.example.org\" }\n";
    const std::string patch =
        "patches:\n  - patch: |\n      apiVersion: helm.toolkit.fluxcd.io/v2\n      kind: HelmRelease\n"
        "      metadata: { name: web, namespace: shop }\n"
        "      spec: { chart: { spec: { version: 1.1.0 } } }\n";
    const MemoryRun made = run_rule({{"clusters/one/sync.yaml", cluster("one", kustomization("apps", "./one"))},
                                     {"clusters/two/sync.yaml", cluster("two", kustomization("apps", "./two"))},
                                     {"base/kustomization.yaml", list + "resources: [release.yaml, source.yaml]\n"},
                                     {"base/release.yaml", release},
                                     {"base/source.yaml", source},
                                     {"one/kustomization.yaml", list + "resources: [../base]\n"},
                                     {"two/kustomization.yaml", list + "resources: [../base]\n" + patch}},
                                    "");
    const std::string page = pins_text(*made.run);
    INFO(page);
    CHECK(page.find("1.0.0  HelmRelease web in clusters/one  base/release.yaml:8") != std::string::npos);
    CHECK(page.find("1.1.0  HelmRelease web in clusters/two  two/kustomization.yaml:") != std::string::npos);
}

TEST_CASE("a finding names the clusters it is about, not all that get the file") {
    MemoryRun made = run_rule(
        {{"clusters/one/sync.yaml", cluster("one", kustomization("apps", "./apps") + kustomization("more", "./apps"))},
         {"clusters/two/sync.yaml", cluster("two", kustomization("apps", "./apps"))},
         {"apps/kustomization.yaml", list + "resources: [settings.yaml]\n"},
         {"apps/settings.yaml", settings}},
        "");
    made.rule = "object-owned-twice";
    REQUIRE(made.first().applied_by);
    CHECK(made.first().applied_by->clusters == std::vector<std::string>{"clusters/one"});
}

// Releases whose chart is at hand: what they render is applied, with its chain, and every value has its place.
#include "deploy/chart_needs.h"
#include "deploy/why.h"
#include "release_in_memory.h"
#include <doctest/doctest.h>

using namespace lockstep;

TEST_CASE("a release of a chart of this repository applies what the chart renders") {
    const BuiltFleet made = fleet_with(release("  values: { replicas: 3 }\n"), "replicas: 1\n");
    const Instance* one = made.find("Deployment", "web");
    REQUIRE(one);
    CHECK(one->id().ns == "shop");
    CHECK(made.fleet->certainty_of(*one) == Certainty::proven);
    CHECK(made.text(one, {"spec", "replicas"}) == "3");
    const auto chain = made.fleet->chain_of(*one);
    REQUIRE(chain.size() >= 2);
    CHECK(chain[chain.size() - 2].by == ChainLink::By::release);
    CHECK(chain.back().by == ChainLink::By::chart);
    CHECK(one->object != no_entity); // as it is written in the template
    REQUIRE(made.fleet->releases.size() == 1);
    CHECK(made.fleet->releases[0].why_not == "");
}

TEST_CASE("a rendered value is on the template's line, and the line of its value decided it") {
    const BuiltFleet made =
        fleet_with(release("  values:\n    replicas: 3\n"), "replicas: 1\nstrategy: RollingUpdate\n");
    const Value* replicas = value(made, "Deployment", {"spec", "replicas"});
    REQUIRE(replicas);
    CHECK(at(made, replicas->place) == "charts/web/templates/deployment.yaml:6");
    CHECK(at(made, replicas->changed_by) == "clusters/prod/web.yaml:7");
    const Value* type = value(made, "Deployment", {"spec", "strategy", "type"});
    REQUIRE(type);
    CHECK(at(made, type->place) == "charts/web/templates/deployment.yaml:7");
    CHECK(at(made, type->changed_by) == "charts/web/values.yaml:2");
    CHECK(at(made, value(made, "Deployment", {"kind"})->changed_by) == "nowhere");
}

TEST_CASE("targetNamespace and releaseName are Helm's") {
    const BuiltFleet prefixed = fleet_with(release("  targetNamespace: front\n"), "replicas: 1\n");
    REQUIRE(prefixed.find("Deployment", "front-web"));
    CHECK(prefixed.find("Deployment", "front-web")->id().ns == "front");
    const BuiltFleet named = fleet_with(release("  targetNamespace: front\n  releaseName: site\n"), "replicas: 1\n");
    CHECK(named.find("Deployment", "site"));
    // Helm refuses more than 53 characters: Flux cuts them, and 12 of the checksum's tell such names apart.
    const BuiltFleet cut = fleet_with(
        release("  targetNamespace: a-namespace-with-quite-a-long-name-of-its-own-for-the-shop\n"), "replicas: 1\n");
    CHECK(cut.find("Deployment", "a-namespace-with-quite-a-long-name-of-it-a242b6418717"));
}

TEST_CASE("values come from ConfigMaps of the tree, the release's own last") {
    const std::string more = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: web-values, namespace: shop }\n"
                             "data:\n  values.yaml: |\n    replicas: 5\n    strategy: RollingUpdate\n  count: \"7\"\n";
    const BuiltFleet made = fleet_with(
        release("  valuesFrom:\n    - { kind: ConfigMap, name: web-values }\n  values: { strategy: Recreate }\n") +
            more,
        "replicas: 1\n");
    const Instance* one = made.find("Deployment", "web");
    CHECK(made.text(one, {"spec", "replicas"}) == "5");
    CHECK(made.text(one, {"spec", "strategy", "type"}) == "Recreate");
    const BuiltFleet target = fleet_with(
        release(
            "  valuesFrom:\n    - { kind: ConfigMap, name: web-values, valuesKey: count, targetPath: replicas }\n") +
            more,
        "replicas: 1\n");
    CHECK(target.text(target.find("Deployment", "web"), {"spec", "replicas"}) == "7");
}

TEST_CASE("a value at a path is read as --set reads it, and `literal` takes it to the letter") {
    const auto built = [](const std::string& datum, const std::string& entry, const std::string& own = {}) {
        return fleet_with(
            release("  valuesFrom:\n    - { kind: ConfigMap, name: one, valuesKey: v, " + entry + " }\n" + own) +
                "---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: one, namespace: shop }\ndata:\n  v: " + datum +
                "\n",
            "replicas: 1\n");
    };
    const auto strategy = [](const BuiltFleet& made) {
        return made.text(made.find("Deployment", "web"), {"spec", "strategy", "type"});
    };
    const BuiltFleet two = built("\"Some,replicas=4\"", "targetPath: strategy");
    CHECK(strategy(two) == "Some");
    CHECK(two.text(two.find("Deployment", "web"), {"spec", "replicas"}) == "4");
    CHECK(strategy(built("\"'true'\"", "targetPath: strategy")) == "true");
    const BuiltFleet whole = built("\"Some,replicas=4\"", "targetPath: strategy, literal: true");
    CHECK(value(whole, "Deployment", {"spec", "strategy", "replicas=4"})); // the template's map is in flow style
    CHECK(whole.text(whole.find("Deployment", "web"), {"spec", "replicas"}) == "1");
    // helm-controller lays the release's own values over it once more.
    CHECK(strategy(built("Some", "targetPath: strategy", "  values: { strategy: Own }\n")) == "Own");
}

TEST_CASE("a key or an object that is optional and not there changes nothing") {
    const std::string object = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: one, namespace: shop }\n"
                               "data: { other: \"replicas: 9\" }\n";
    const auto certainty = [&](const std::string& entry) {
        const BuiltFleet made = fleet_with(
            release("  valuesFrom:\n    - { kind: ConfigMap, name: one" + entry + " }\n") + object, "replicas: 1\n");
        const Instance* one = made.find("Deployment", "web");
        REQUIRE(one);
        return std::pair(made.fleet->certainty_of(*one), made.text(one, {"spec", "replicas"}));
    };
    CHECK(certainty(", optional: true") == std::pair(Certainty::proven, std::string("1")));
    CHECK(certainty("").first == Certainty::possible);
    CHECK(certainty(", valuesKey: other") == std::pair(Certainty::proven, std::string("9")));
    CHECK(certainty(", valuesKey: v, targetPath: replicas, optional: true") ==
          std::pair(Certainty::proven, std::string("1")));
}

TEST_CASE("values that are not in the tree make what is rendered possible, one value only itself") {
    const BuiltFleet whole =
        fleet_with(release("  valuesFrom:\n    - { kind: Secret, name: web-values }\n"), "replicas: 1\n");
    const Instance* one = whole.find("Deployment", "web");
    REQUIRE(one);
    CHECK(whole.fleet->certainty_of(*one) == Certainty::possible);
    const BuiltFleet part = fleet_with(
        release("  valuesFrom:\n    - { kind: Secret, name: web-values, valuesKey: n, targetPath: replicas }\n"),
        "replicas: 1\n");
    one = part.find("Deployment", "web");
    REQUIRE(one);
    CHECK(part.fleet->certainty_of(*one) == Certainty::proven);
    CHECK(value(part, "Deployment", {"spec", "replicas"})->unknown);
    CHECK_FALSE(value(part, "Deployment", {"spec", "strategy", "type"})->unknown);
}

TEST_CASE("post-renderers change what is rendered, and say so") {
    const BuiltFleet made = fleet_with(
        release("  postRenderers:\n    - kustomize:\n        patches:\n          - target: { kind: Deployment }\n"
                "            patch: |\n              - { op: replace, path: /spec/replicas, value: 9 }\n"),
        "replicas: 1\n");
    const Value* replicas = value(made, "Deployment", {"spec", "replicas"});
    REQUIRE(replicas);
    CHECK(replicas->text == "9");
    CHECK(at(made, replicas->changed_by).starts_with("clusters/prod/web.yaml:"));
}

TEST_CASE("what a cluster-time value decides is possible, and leaves the release open") {
    const BuiltFleet made = fleet_with(
        release(""), "replicas: 1\n",
        {{"charts/web/templates/extra.yaml",
          "{{ if not (lookup \"v1\" \"Secret\" \"shop\" \"web\") }}\napiVersion: v1\nkind: Secret\nmetadata: { "
          "name: web }\n{{ end }}\n"}});
    const Instance* secret = made.find("Secret", "web");
    REQUIRE(secret);
    CHECK(made.fleet->certainty_of(*secret) == Certainty::possible);
    CHECK(made.fleet->certainty_of(*made.find("Deployment", "web")) == Certainty::proven);
    CHECK_FALSE(made.fleet->releases[0].rendered->complete());
}

TEST_CASE("dependencies: a chart of the same repository, else a gap, and the rest still renders") {
    const std::string with_dependencies =
        chart_text +
        "dependencies:\n  - { name: common, version: ^1.0.0, repository: \"file://../common\" }\n"
        "  - { name: redis, version: 20.0.0, repository: \"https://charts.example.com\" }\n"
        "  - { name: extra, version: 1.0.0, repository: \"https://charts.example.com\", condition: extra.enabled }\n";
    const BuiltFleet made = fleet_with(
        release(""), "replicas: 1\nextra: { enabled: false }\n",
        {{"charts/web/Chart.yaml", with_dependencies},
         {"charts/common/Chart.yaml", "apiVersion: v2\nname: common\nversion: 1.2.0\n"},
         {"charts/common/templates/map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: shared }\n"}});
    CHECK(made.find("Deployment", "web"));
    CHECK(made.find("ConfigMap", "shared"));
    const ReleaseRow& row = made.fleet->releases.at(0);
    REQUIRE(row.rendered);
    REQUIRE(row.rendered->missing.size() == 1);
    CHECK(row.rendered->missing[0].name == "redis");
    const Root& root = made.fleet->roots[row.root];
    REQUIRE(root.gaps.size() == 1);
    CHECK(root.gaps[0].reason == "chart redis 20.0.0 is not at hand");

    const auto needs = chart_needs(*made.fleet);
    std::string told;
    for (const ChartNeed& need : needs)
        told += need.name + (need.where.empty() ? "" : " in " + need.where) + "; ";
    CHECK(told == "./charts/web in charts/web; common in charts/common; extra; redis; ");
}

TEST_CASE("a chart may bring a Flux Kustomization, which leads on") {
    const BuiltFleet made = fleet_with(
        release(""), "replicas: 1\n",
        {{"charts/web/templates/next.yaml",
          "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: next, namespace: "
          "flux-system }\nspec: { path: ./next, prune: true, sourceRef: { kind: GitRepository, name: flux-system } "
          "}\n"},
         {"next/map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: found, namespace: a }\n"}});
    const Instance* found = made.find("ConfigMap", "found");
    REQUIRE(found);
    CHECK(made.fleet->certainty_of(*found) == Certainty::proven);
}

TEST_CASE("a release of another version than the repository has is not rendered, and says why") {
    const BuiltFleet made =
        fleet_with("apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: web, "
                   "namespace: shop }\nspec: { chart: { spec: { chart: web, version: 2.0.0, "
                   "sourceRef: { kind: HelmRepository, name: acme } } } }\n",
                   "replicas: 1\n");
    REQUIRE(made.fleet->releases.size() == 1);
    CHECK(made.fleet->releases[0].why_not == "chart web 2.0.0 is not at hand");
    const Instance* own = made.find("Deployment", "web"); // with its own values: no cluster gets it
    REQUIRE(own);
    CHECK(made.fleet->certainty_of(*own) == Certainty::loose);
}

TEST_CASE(
    "why: an object that a template writes by toYaml alone has its chain, from the template and from its values") {
    const BuiltFleet made = fleet_with(
        release(""),
        "replicas: 1\nextra:\n  - apiVersion: v1\n    kind: ConfigMap\n"
        "    metadata:\n      name: one\n",
        {{"charts/web/templates/extra.yaml", "{{- range .Values.extra }}\n---\n{{ toYaml . }}\n{{- end }}\n"}});
    for (const char* path : {"charts/web/templates/extra.yaml", "charts/web/values.yaml"}) {
        const FileChains found = chains_of_file(made.built.index, *made.fleet, *made.built.tree->find(path));
        REQUIRE(!found.parts.empty());
        const Part& part = found.parts[0];
        CHECK(part.as == Part::As::rendered);
        CHECK(part.kind + " " + part.name == "ConfigMap one");
        CHECK(part.place.file == *made.built.tree->find(path));
        REQUIRE(part.found.chains.size() == 1);
        const auto& links = part.found.chains[0].links;
        REQUIRE(links.size() >= 2);
        CHECK(links[links.size() - 2].by == ChainLink::By::release);
        CHECK(links.back().by == ChainLink::By::chart);
    }
    CHECK(at(made, chains_of_file(made.built.index, *made.fleet, *made.built.tree->find("charts/web/values.yaml"))
                       .parts[0]
                       .place) == "charts/web/values.yaml:6");
}

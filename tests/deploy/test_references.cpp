// References over trees in memory: what a cluster has, what somebody else makes, what nobody can tell, what is missing.
#include "../index/build_in_memory.h"
#include "deploy/references.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

using Is = Resolution::Is;

Table table(std::vector<std::string> columns, const std::vector<std::vector<std::string>>& rows) {
    Table made;
    made.columns = std::move(columns);
    for (const auto& texts : rows) {
        Row row;
        for (const std::string& text : texts)
            row.cells.push_back(text.empty() ? Cell{} : Cell{State::known, text, {}});
        made.rows.push_back(std::move(row));
    }
    return made;
}

const Table& rows() {
    static const Table made = table({"set", "from", "path", "to", "name", "namespace", "optional", "key"},
                                    {{"depends-on", "Kustomization.kustomize.toolkit.fluxcd.io", "spec.dependsOn[*]",
                                      "Kustomization.kustomize.toolkit.fluxcd.io", "", "field", "", ""},
                                     {"source", "HelmRelease.helm.toolkit.fluxcd.io", "spec.chart.spec.sourceRef",
                                      "{kind}.source.toolkit.fluxcd.io", "", "field", "", ""},
                                     {"values-from", "HelmRelease.helm.toolkit.fluxcd.io", "spec.valuesFrom[*]",
                                      "{kind}", "", "own", "optional", ""}});
    return made;
}

const Table& makers() {
    static const Table made =
        table({"by", "makes", "name"}, {{"ExternalSecret.external-secrets.io", "Secret", "{spec.target.name}"},
                                        {"Cluster.postgresql.cnpg.io", "Secret", "{metadata.name}-app"}});
    return made;
}

const std::string flux_sync = R"(apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1m, url: "https://git.example.com/acme/fleet", ref: {branch: main}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec:
  interval: 10m
  path: ./clusters/prod
  sourceRef: {kind: GitRepository, name: flux-system}
)";

std::string kustomization(const std::string& name, const std::string& more) {
    return "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: " + name +
           ", namespace: flux-system}\nspec:\n  interval: 10m\n  path: ./apps\n"
           "  sourceRef: {kind: GitRepository, name: flux-system}\n" +
           more;
}

std::string release(const std::string& ns, const std::string& more) {
    return "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: " + ns +
           "}\nspec:\n  interval: 10m\n" + more;
}

struct World {
    Built built;
    ParsedFiles files;
    Fleet fleet;
    References references;

    World(FileList list, std::vector<std::string> external = {}, std::vector<ScriptText> scripts = {})
        : built(build(list)), files(*built.tree, {}), fleet(Fleet::Input{*built.tree, built.index, files}),
          references({fleet, built.index, files, *read_reference_rows(rows()), *read_maker_rows(makers()),
                      std::move(external), std::move(scripts)}) {}

    ResolvedReference only(std::string_view set) {
        const std::vector<ResolvedReference> all = references.of_set(set);
        REQUIRE(!all.empty());
        for (const ResolvedReference& one : all)
            CHECK(one.place == all.front().place); // flux-system applies its own file, too
        return all.front();
    }
};

const std::string apps = "resources: [cm.yaml]\n";
const std::string settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: apps}\n";

} // namespace

TEST_CASE("what the cluster gets is here, with the instance") {
    World world({{"clusters/prod/flux-system/gotk-sync.yaml", flux_sync},
                 {"clusters/prod/web.yaml", kustomization("web", "  dependsOn: [{name: db}]\n")},
                 {"clusters/prod/db.yaml", kustomization("db", "")},
                 {"apps/kustomization.yaml", apps},
                 {"apps/cm.yaml", settings}});
    const ResolvedReference one = world.only("depends-on");
    CHECK(one.is->is == Is::here);
    REQUIRE(!one.is->to.empty());
    CHECK(world.fleet.instances[one.is->to.front()].id().name == "db");
    CHECK(world.built.text_at(one.place) == "db");
}

TEST_CASE("in a closed world a name that nothing has is missing, with the one that is near") {
    World world({{"clusters/prod/flux-system/gotk-sync.yaml", flux_sync},
                 {"clusters/prod/web.yaml", kustomization("web", "  dependsOn: [{name: dbb}]\n")},
                 {"clusters/prod/db.yaml", kustomization("db", "")},
                 {"apps/kustomization.yaml", apps},
                 {"apps/cm.yaml", settings}});
    const ResolvedReference one = world.only("depends-on");
    CHECK(one.is->is == Is::missing);
    CHECK(one.is->near == "db");
}

TEST_CASE("another repository opens its cluster, and only there") {
    const std::string foreign = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n"
                                "metadata: {name: other, namespace: flux-system}\n"
                                "spec: {url: \"https://git.example.com/acme/other\"}\n---\n"
                                "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
                                "metadata: {name: other, namespace: flux-system}\n"
                                "spec: {path: ./deploy, sourceRef: {kind: GitRepository, name: other}";
    const std::string web = kustomization("web", "  dependsOn: [{name: database}]\n");
    World anywhere({{"clusters/prod/flux-system/gotk-sync.yaml", flux_sync},
                    {"clusters/prod/web.yaml", web},
                    {"clusters/prod/other.yaml", foreign + "}\n"},
                    {"apps/kustomization.yaml", apps},
                    {"apps/cm.yaml", settings}});
    const ResolvedReference open = anywhere.only("depends-on");
    CHECK(open.is->is == Is::possible);
    CHECK(open.is->open);
    CHECK(open.is->why.find("other") != std::string::npos);

    World elsewhere({{"clusters/prod/flux-system/gotk-sync.yaml", flux_sync},
                     {"clusters/prod/web.yaml", web},
                     {"clusters/prod/other.yaml", foreign + ", targetNamespace: guests}\n"},
                     {"apps/kustomization.yaml", apps},
                     {"apps/cm.yaml", settings}});
    CHECK(elsewhere.only("depends-on").is->is == Is::missing);

    std::string eu = flux_sync;
    eu.replace(eu.find("clusters/prod"), 13, "clusters/eu");
    World other_cluster({{"clusters/eu/flux-system/gotk-sync.yaml", eu},
                         {"clusters/eu/other.yaml", foreign + "}\n"},
                         {"clusters/prod/flux-system/gotk-sync.yaml", flux_sync},
                         {"clusters/prod/web.yaml", web},
                         {"apps/kustomization.yaml", apps},
                         {"apps/cm.yaml", settings}});
    CHECK(other_cluster.only("depends-on").is->is == Is::missing);
}

TEST_CASE("an object of another namespace is none, and one that nothing applies is none either") {
    const std::string source = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\n"
                               "metadata: {name: charts, namespace: flux-system}\nspec: {url: \"https://x.example\"}\n";
    const std::string web = release(
        "apps",
        "  chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: charts, namespace: flux-sytem}}}\n");
    World world({{"clusters/prod/flux-system/gotk-sync.yaml", flux_sync},
                 {"clusters/prod/apps.yaml", kustomization("apps", "")},
                 {"apps/kustomization.yaml", "resources: [web.yaml, charts.yaml]\n"},
                 {"apps/web.yaml", web},
                 {"apps/charts.yaml", source},
                 {"old/kustomization.yaml", "resources: [charts.yaml]\n"},
                 {"old/charts.yaml", source}});
    const ResolvedReference one = world.only("source");
    CHECK(one.is->is == Is::missing);
    CHECK(one.ns == "flux-sytem");
    REQUIRE(one.is->others.size() == 1);
    CHECK(world.fleet.instances[one.is->others[0]].id().ns == "flux-system");
    CHECK(one.is->near_ns);
}

TEST_CASE("what an operator, a script or the config makes is elsewhere") {
    const std::string secrets = R"(apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: x, namespace: apps}
spec: {target: {name: login}}
---
apiVersion: postgresql.cnpg.io/v1
kind: Cluster
metadata: {name: db, namespace: apps}
)";
    auto world_of = [&](const std::string& name, std::vector<std::string> external, std::vector<ScriptText> scripts) {
        World world({{"clusters/prod/flux-system/gotk-sync.yaml", flux_sync},
                     {"clusters/prod/apps.yaml", kustomization("apps", "")},
                     {"apps/kustomization.yaml", "resources: [web.yaml, secrets.yaml]\n"},
                     {"apps/secrets.yaml", secrets},
                     {"apps/web.yaml", release("apps", "  valuesFrom: [{kind: Secret, name: " + name + "}]\n")}},
                    std::move(external), std::move(scripts));
        return Resolution(*world.only("values-from").is);
    };
    CHECK(world_of("login", {}, {}).is == Is::elsewhere);
    CHECK(world_of("db-app", {}, {}).is == Is::elsewhere);
    CHECK(world_of("token", {"Secret/apps/tok*"}, {}).is == Is::elsewhere);
    CHECK(world_of("token", {}, {{"up.sh", "kubectl create secret generic \\\n  token --from-file=x\n"}}).is ==
          Is::elsewhere);
    CHECK(world_of("token", {}, {{"main.tf", "resource \"kubernetes_secret\" \"t\" { name = \"token\" }\n"}}).is ==
          Is::elsewhere);
    const Resolution mentioned = world_of("token", {}, {{"up.sh", "kubectl get secret token\n"}});
    CHECK(mentioned.is == Is::possible);
    CHECK(mentioned.by_convention);
    CHECK(world_of("logni", {}, {}).near == "login");
}

TEST_CASE("a generated name without its hash is missing, a templated name may become anything that fits") {
    World hashed({{"clusters/prod/flux-system/gotk-sync.yaml", flux_sync},
                  {"clusters/prod/apps.yaml", kustomization("apps", "")},
                  {"apps/kustomization.yaml", "resources: [web.yaml]\nnamespace: apps\n"
                                              "configMapGenerator: [{name: values, literals: [a=b]}]\n"},
                  {"apps/web.yaml", release("apps", "  valuesFrom: [{kind: ConfigMap, name: values}]\n")}});
    const ResolvedReference one = hashed.only("values-from");
    CHECK(one.is->is == Is::missing);
    CHECK(one.is->hashed != no_number);

    World templated({{"clusters/prod/flux-system/gotk-sync.yaml", flux_sync},
                     {"clusters/prod/web.yaml", kustomization("web", "  dependsOn: [{name: db-eu}]\n")},
                     {"clusters/prod/db.yaml", kustomization("\"db-${region}\"", "")},
                     {"apps/kustomization.yaml", apps},
                     {"apps/cm.yaml", settings}});
    const ResolvedReference may = templated.only("depends-on");
    CHECK(may.is->is == Is::possible);
    CHECK_FALSE(may.is->open);
}

TEST_CASE("what nothing applies is possible, whatever it names") {
    World world({{"clusters/prod/flux-system/gotk-sync.yaml", flux_sync},
                 {"clusters/prod/cm.yaml", settings},
                 {"drafts/web.yaml", release("apps", "  chartRef: {kind: OCIRepository, name: web}\n"
                                                     "  valuesFrom: [{kind: Secret, name: gone}]\n")}});
    const ResolvedReference one = world.only("values-from");
    CHECK(one.is->is == Is::possible);
    CHECK(one.from == no_number);
    CHECK(one.is->why == "nothing in this tree applies it");
}

TEST_CASE("a row that is wrong says which one and why") {
    const Table bad = table({"set", "from", "path", "to", "namespace"}, {{"x", "A.b", "spec.ref", "Secret", "nearby"}});
    const auto read = read_reference_rows(bad);
    REQUIRE_FALSE(read);
    CHECK(read.error().message.find("`nearby` is not a namespace rule") != std::string::npos);
    CHECK_FALSE(read_reference_rows(table({"set", "from", "path", "to"}, {{"x", "A.b", "spec[", "Secret"}})));
    CHECK_FALSE(read_maker_rows(table({"by", "makes", "name"}, {{"A.b", "Secret", ""}})));
}

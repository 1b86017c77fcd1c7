// Charts that no release uses: rendered with their own values, apart from every cluster.
#include "deploy/rendered_chart.h"
#include "fleet_in_memory.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

const std::string chart_text = "apiVersion: v2\nname: web\nversion: 1.0.0\n";
const std::string deployment = "{{- if .Values.enabled }}\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n"
                               "  name: {{ .Release.Name }}\nspec:\n  replicas: {{ .Values.replicas }}\n{{- end }}\n";
const std::string sync_text =
    "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n"
    "metadata: { name: flux-system, namespace: flux-system }\n"
    "spec: { url: \"https://git.example.org/team/fleet\", ref: { branch: main } }\n---\n"
    "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
    "metadata: { name: flux-system, namespace: flux-system }\n"
    "spec: { path: ./clusters/prod, prune: true, sourceRef: { kind: GitRepository, name: flux-system } }\n";

BuiltFleet fleet_of_chart(const std::string& values, const std::string& text = deployment, FileList more = {}) {
    std::vector<std::pair<std::string, std::string>> files{{"charts/web/Chart.yaml", chart_text},
                                                           {"charts/web/templates/deployment.yaml", text},
                                                           {"charts/web/values.yaml", values}};
    files.insert(files.end(), more.begin(), more.end());
    std::sort(files.begin(), files.end());
    Tree tree;
    for (const auto& [path, content] : files) {
        File file{path, content};
        file.state = FileState::read;
        file.indexed = true;
        tree.files.push_back(std::move(file));
    }
    return fleet_for(build_tree(std::move(tree)));
}

} // namespace

TEST_CASE("in a tree of charts alone each chart is taken as applied, with its own values") {
    const BuiltFleet made = fleet_of_chart("enabled: true\nreplicas: 3\n");
    const Instance* one = made.find("Deployment", "web");
    REQUIRE(one);
    CHECK(made.fleet->root_of(*one).by == Root::By::chart);
    CHECK(made.fleet->certainty_of(*one) == Certainty::proven);
    CHECK(!one->ns_known); // whoever installs it says where
    CHECK(made.text(one, {"spec", "replicas"}) == "3");
    const Value* replicas = value_at(made.fleet->tree_of(*one), {"spec", "replicas"});
    CHECK(made.built.tree->files[replicas->place.file].path == "charts/web/templates/deployment.yaml");
    CHECK(made.built.tree->files[decided_at(*replicas).file].path == "charts/web/values.yaml");
    CHECK(made.built.index.objects[one->object].kind.text == "Deployment");
    CHECK(made.fleet->applied_by_kustomize(one->object).empty());
}

TEST_CASE("where a tree has roots, a chart that no release uses is loose") {
    const BuiltFleet made = fleet_of_chart("enabled: true\nreplicas: 3\n", deployment,
                                           {{"clusters/prod/flux-system/gotk-sync.yaml", sync_text}});
    const Instance* one = made.find("Deployment", "web");
    REQUIRE(one);
    CHECK(made.fleet->certainty_of(*one) == Certainty::loose);
    CHECK(made.fleet->root_of(*one).why == "no release in this tree uses its chart");
}

TEST_CASE("what own values switch off has no instance; a chart that refuses them has none at all, and says why") {
    const BuiltFleet off = fleet_of_chart("enabled: false\nreplicas: 3\n");
    CHECK(!off.find("Deployment", "web"));
    REQUIRE(off.fleet->unreleased.size() == 1);
    CHECK(off.fleet->unreleased[0].why_not.empty());
    const BuiltFleet asks =
        fleet_of_chart("replicas: 3\n", "name: {{ required \"name it\" .Values.name }}\n" + deployment);
    CHECK(asks.fleet->instances.empty());
    REQUIRE(asks.fleet->unreleased[0].rendered);
    REQUIRE(asks.fleet->unreleased[0].rendered->problems.size() == 1);
    CHECK(asks.fleet->unreleased[0].rendered->problems[0].asked);
}

TEST_CASE("a release or a Flux Kustomization that such a chart has leads nowhere") {
    const BuiltFleet made = fleet_of_chart("{}\n", sync_text);
    CHECK(made.find("Kustomization", "flux-system"));
    CHECK(made.fleet->roots.size() == 1);
    CHECK(made.fleet->releases.empty());
}

TEST_CASE("a chart that a kustomization renders is not rendered again by itself") {
    const BuiltFleet made =
        fleet_of_chart("enabled: true\nreplicas: 3\n", deployment,
                       {{"kustomization.yaml",
                         "helmGlobals: { chartHome: charts }\nhelmCharts:\n  - { name: web, releaseName: shop }\n"}});
    CHECK(made.find("Deployment", "shop"));
    CHECK(!made.find("Deployment", "web"));
}

#include "build_in_memory.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

const char* const release = R"(apiVersion: v1
kind: Namespace
metadata:
  name: apps
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: { name: charts, namespace: flux-system }
spec: { type: oci, url: "oci://ghcr.io/acme", secretRef: { name: pull } }
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: web
  namespace: flux-system
spec:
  releaseName: www
  targetNamespace: apps
  dependsOn:
    - name: db
  chart:
    spec:
      chart: web
      version: 1.2.3
      sourceRef: { kind: HelmRepository, name: charts }
  install: { remediation: { retries: 3 } }
  valuesFrom:
    - { kind: Secret, name: web-values, optional: true }
  values:
    replicas: 2
    image: {}
)";

} // namespace

TEST_CASE("a release of a multi-document file has every value with its place") {
    Built built = build({{"clusters/prod/web.yaml", release}});
    REQUIRE(built.index.releases.size() == 1);
    const HelmRelease& web = built.index.releases[0];
    const Object& object = built.index.objects[web.object];
    CHECK(object.name.text == "web");
    CHECK(tree_of(built.index, object) == "clusters/prod");
    CHECK(web.version.text == "1.2.3");
    CHECK(built.text_at(web.version.place) == "1.2.3");
    CHECK(built.line_of(web.version.place) == 24);
    CHECK(web.target_namespace.text == "apps");
    CHECK(web.storage_namespace.state == State::absent);
    CHECK(built.text_at(web.storage_namespace.place) == "spec");
    CHECK(web.depends_on.at(0).name.text == "db");
    CHECK(web.values_from.at(0).optional_flag.text == "true");
    REQUIRE(web.value_keys.size() == 2);
    CHECK(web.value_keys[1].text == "image");
    CHECK(built.text_at(web.install) == "{ remediation: { retries: 3 } }");
    CHECK_FALSE(web.partial);
    REQUIRE(built.index.release_edges[0].source != no_entity);
    CHECK(built.index.release_edges[0].registry == "ghcr.io/acme");
    CHECK(built.index.sources.at(0).secret.text == "pull");
    CHECK(built.index.objects.size() == 3);
}

TEST_CASE("a HelmRelease without chart and chartRef is a patch and declares nothing") {
    Built built = build({{"patch.yaml", R"(apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: web, namespace: apps }
spec: { values: { replicas: 3 } }
)"}});
    REQUIRE(built.index.releases.size() == 1);
    CHECK(built.index.releases[0].partial);
    CHECK(built.index.objects[0].partial);
    CHECK(find_objects(built.index, "HelmRelease", "apps", "web").empty());
}

TEST_CASE("a chartRef takes name and version from the OCIRepository") {
    Built built = build({{"web.yaml", R"(apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: web }
spec:
  chartRef: { kind: OCIRepository, name: web }
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: { name: web }
spec:
  url: oci://ghcr.io/acme/charts/webapp
  ref: { tag: 4.5.6 }
)"}});
    REQUIRE(built.index.release_edges.size() == 1);
    const ReleaseEdges& edges = built.index.release_edges[0];
    CHECK_FALSE(built.index.releases[0].partial);
    CHECK(edges.chart_name.text == "webapp");
    CHECK(edges.version.text == "4.5.6");
    CHECK(built.line_of(edges.version.place) == 12);
    CHECK(edges.registry == "ghcr.io/acme/charts");
}

TEST_CASE("a kustomization.yaml may hold a Flux Kustomization, and ks.yaml does too") {
    const char* const text = R"(apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: apps, namespace: flux-system }
spec:
  path: ./apps
  prune: true
  sourceRef: { kind: GitRepository, name: flux-system }
  postBuild:
    substitute: { DOMAIN: example.org }
    substituteFrom: [{ kind: ConfigMap, name: settings }]
  commonMetadata: { annotations: { "kustomize.toolkit.fluxcd.io/force": enabled } }
  patches:
    - patch: |
        - op: remove
          path: /spec/x
      target: { kind: Deployment }
)";
    for (std::string path : {"flux/kustomization.yaml", "flux/ks.yaml"}) {
        Built built = build({{path, text}, {"apps/web.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n"}});
        CHECK(built.index.kustomizations.empty());
        REQUIRE(built.index.flux_kustomizations.size() == 1);
        const FluxKustomization& flux = built.index.flux_kustomizations[0];
        CHECK(flux.path.text == "./apps");
        CHECK(flux.substitute.at(0).key.text == "DOMAIN");
        CHECK(flux.substitute_from.at(0).name.text == "settings");
        CHECK(flux.common_annotations.at(0).value.text == "enabled");
        REQUIRE(flux.patches.size() == 1);
        CHECK(flux.patches[0].json6902);
        CHECK(flux.patches[0].indent == 8);
        CHECK(flux.patches[0].target_kind.text == "Deployment");
        CHECK(built.index.flux_edges.size() == built.index.flux_kustomizations.size());
    }
}

TEST_CASE("dependsOn finds the release of the same cluster tree") {
    auto text = [](std::string name, std::string needs) {
        return "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: " + name +
               ", namespace: x }\nspec:\n  chartRef: { kind: OCIRepository, name: a }\n  dependsOn: [" + needs + "]\n";
    };
    Built built = build({{"clusters/a/1.yaml", text("db", "")},
                         {"clusters/a/2.yaml", text("web", "{ name: db }")},
                         {"clusters/b/1.yaml", text("db", "")},
                         {"clusters/b/2.yaml", text("web", "{ name: db }, { name: lost }")}});
    REQUIRE(built.index.release_edges.size() == 4);
    CHECK(built.index.release_edges[1].depends_on == std::vector<EntityId>{0});
    CHECK(built.index.release_edges[3].depends_on == std::vector<EntityId>{2, no_entity});
}

TEST_CASE("a HelmRelease that only sets a version is a patch too") {
    Built built = build({{"patch.yaml", R"(apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: web, namespace: apps }
spec: { chart: { spec: { version: ">=1.0.0" } } }
)"}});
    CHECK(built.index.releases.at(0).partial);
}

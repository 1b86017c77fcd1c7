#include "build_in_memory.h"
#include "index/cells.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

std::string object(std::string kind, std::string name) {
    return "apiVersion: v1\nkind: " + kind + "\nmetadata: { name: " + name + " }\n";
}

Target target_of(const Built& built, std::string_view written) {
    for (const ListedEdge& edge : built.index.listed_edges)
        if (built.index.kustomizations[edge.kustomization].listed[edge.entry].path.text == written) return edge.target;
    return Target::outside;
}

} // namespace

TEST_CASE("a kustomization lists in every spelling") {
    Built built =
        build({{"app/kustomization.yaml", R"(apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: web
namePrefix: a-
resources:
  - a.yaml
  - ../base
  - lost.yaml
  - github.com/acme/x?ref=v1
  - ../../out.yaml
components: [../part]
crds: [crd.yaml]
patches:
  - path: p.yaml
  - target: { kind: Deployment, name: web }
    patch: |-
      - op: add
        path: /x
        value: 1
patchesStrategicMerge:
  - sm.yaml
  - |-
    apiVersion: v1
    kind: Service
    metadata: { name: s }
patchesJson6902:
  - { target: { kind: Service, name: s }, path: j.yaml }
configMapGenerator:
  - name: cfg
    files: [key=conf.ini, other.ini]
secretGenerator:
  - { name: sec, envs: [s.env], options: { disableNameSuffixHash: true } }
helmCharts:
  - { name: redis, version: 1.0.0, repo: "https://charts.example.org", valuesFile: v.yaml }
images:
  - { name: nginx, newTag: "1.27" }
commonAnnotations: { kustomize.toolkit.fluxcd.io/force: enabled }
labels:
  - pairs: { app: web }
)"},
               {"app/a.yaml", object("Service", "s")},
               {"app/p.yaml", object("Service", "s")},
               {"base/kustomization.yaml", "resources: []\n"},
               {"part/kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"}});
    REQUIRE(built.index.kustomizations.size() == 3);
    const Kustomization& app = built.index.kustomizations[0];
    CHECK(app.ns.text == "web");
    CHECK(app.name_prefix.text == "a-");
    CHECK(target_of(built, "a.yaml") == Target::file);
    CHECK(target_of(built, "../base") == Target::directory);
    CHECK(target_of(built, "lost.yaml") == Target::missing);
    CHECK(target_of(built, "github.com/acme/x?ref=v1") == Target::remote);
    CHECK(target_of(built, "../../out.yaml") == Target::outside);
    CHECK(target_of(built, "conf.ini") == Target::missing);
    CHECK(target_of(built, "j.yaml") == Target::missing);
    CHECK(target_of(built, "v.yaml") == Target::missing);
    REQUIRE(app.patches.size() == 5);
    CHECK(app.patches[0].path.text == "p.yaml");
    CHECK(app.patches[1].json6902);
    CHECK(app.patches[1].target_name.text == "web");
    CHECK(app.patches[2].path.text == "sm.yaml");
    CHECK_FALSE(is_set(app.patches[3].path));
    CHECK(built.text_at(app.patches[3].inline_text).starts_with("    apiVersion: v1\n"));
    CHECK_FALSE(app.patches[3].json6902);
    CHECK(app.patches[4].json6902);
    REQUIRE(app.generators.size() == 2);
    CHECK(app.generators[0].name_suffix_hash);
    CHECK(app.generators[1].secret);
    CHECK_FALSE(app.generators[1].name_suffix_hash);
    CHECK(app.helm_charts.at(0).version.text == "1.0.0");
    CHECK(app.images.at(0).new_tag.text == "1.27");
    CHECK(app.common_annotations.at(0).value.text == "enabled");
    CHECK(app.labels.at(0).key.text == "app");
    CHECK(built.index.kustomizations[2].component);
}

TEST_CASE("kustomization.yaml without apiVersion and kind is one too") {
    Built built = build({{"a/kustomization.yml", "resources: [x.yaml]\n"}, {"a/other.yaml", "resources: [x.yaml]\n"}});
    REQUIRE(built.index.kustomizations.size() == 1);
    CHECK(built.index.kustomizations[0].object == no_entity);
    CHECK(built.index.kustomizations[0].dir == "a");
}

TEST_CASE("what serves only as a patch declares nothing; what is a resource too does") {
    Built built =
        build({{"kustomization.yaml", "resources: [both.yaml]\npatches: [{path: p.yaml}, {path: both.yaml}]\n"},
               {"p.yaml", object("Service", "p")},
               {"both.yaml", object("Service", "both")}});
    CHECK(find_objects(built.index, "Service", "", "p").empty());
    CHECK(find_objects(built.index, "Service", "", "both").size() == 1);
}

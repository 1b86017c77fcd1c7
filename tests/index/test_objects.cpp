#include "build_in_memory.h"
#include <doctest/doctest.h>

using namespace lockstep;

TEST_CASE("a List is unrolled and its items are objects of their own") {
    Built built = build({{"list.yaml", R"(apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: ConfigMap
    metadata: { name: one, namespace: a }
  - apiVersion: apps/v1
    kind: Deployment
    metadata: { name: two }
)"}});
    REQUIRE(built.index.objects.size() == 2);
    CHECK(built.index.objects[0].list_item);
    CHECK(built.index.objects[1].group == "apps");
    CHECK(built.index.objects[1].version() == "v1");
    CHECK(built.line_of(built.index.objects[1].name.place) == 9);
    CHECK(built.line_of({0, built.index.objects[1].document}) == 7);
    CHECK(find_objects(built.index, "ConfigMap", "a", "one").size() == 1);
    CHECK(find_objects(built.index, "ConfigMap", "b", "one").empty());
}

TEST_CASE("SOPS values are opaque and their keys usable") {
    Built built = build({{"s.sops.yaml", R"(apiVersion: v1
kind: Secret
metadata: { name: s }
stringData:
  token: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]
sops:
  mac: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]
  lastmodified: "2024-01-01T00:00:00Z"
)"}});
    REQUIRE(built.index.objects.size() == 1);
    CHECK(built.index.objects[0].sops);
    CHECK(built.index.objects[0].name.state == State::known);
}

TEST_CASE("a templated name is templated and shows what is written") {
    Built built = build(
        {{"c/Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\n"}, {"c/templates/d.yaml", R"(apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "c.fullname" . }}
  labels:
    {{- include "c.labels" . | nindent 4 }}
spec: {}
)"}});
    REQUIRE(built.index.objects.size() == 1);
    const Object& object = built.index.objects[0];
    CHECK(object.kind.text == "Deployment");
    CHECK(object.name.state == State::templated);
    CHECK(object.name.text == R"({{ include "c.fullname" . }})");
    CHECK(object.in_chart);
    CHECK(object.in_templates);
    CHECK(object.chart == "c");
    CHECK_FALSE(object.partial);
    REQUIRE(built.index.charts.size() == 1);
    CHECK(built.index.charts[0].templates.size() == 1);
}

TEST_CASE("the force mark is read from annotations and labels") {
    Built built = build({{"d.yaml", R"(apiVersion: apps/v1
kind: Deployment
metadata:
  name: d
  annotations:
    kustomize.toolkit.fluxcd.io/force: enabled
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: e
  labels: { kustomize.toolkit.fluxcd.io/force: Disabled }
)"}});
    const std::vector<Cell>& annotation = built.object("Deployment", "d").forces;
    REQUIRE(annotation.size() == 1);
    CHECK(annotation[0].text == "enabled");
    CHECK(built.line_of(annotation[0].place) == 6);
    const std::vector<Cell>& label = built.object("Deployment", "e").forces;
    REQUIRE(label.size() == 1);
    CHECK(label[0].text == "Disabled");
}

TEST_CASE("every document has a role") {
    Built built = build({{"a/values.yaml", "x: 1\n"},
                         {".github/workflows/w.yaml", "on: push\njobs: {}\n"},
                         {"ci/init.yaml", "#cloud-config\npackages: [git]\n"},
                         {"helmfile.yaml", "releases: []\n"},
                         {"bootstrap/apps.yaml", "releases: [{ name: cilium, chart: oci://example.org/cilium }]\n"},
                         {"chart-config.yaml", "releases: [{ name: a }]\n"},
                         {"empty.yaml", "# nothing\n"},
                         {"other.yaml", "- op: add\n"},
                         {"app.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\n"}});
    auto role = [&](std::string_view path) {
        for (const DocumentRole& document : built.index.documents)
            if (built.tree->files[document.place.file].path == path) return document.role;
        return Role::list;
    };
    CHECK(role("empty.yaml") == Role::empty);
    CHECK(role("a/values.yaml") == Role::values);
    CHECK(role(".github/workflows/w.yaml") == Role::workflow);
    CHECK(role("ci/init.yaml") == Role::cloud_init);
    CHECK(role("helmfile.yaml") == Role::foreign);
    CHECK(role("bootstrap/apps.yaml") == Role::foreign);
    CHECK(role("chart-config.yaml") == Role::fragment);
    CHECK(role("other.yaml") == Role::fragment);
    CHECK(role("app.yaml") == Role::object);
    CHECK(built.index.foreign_counts.at("helmfile") == 2);
    CHECK(built.index.foreign_counts.at("Argo CD Application") == 1);
}

TEST_CASE("a document with $patch or without a name declares nothing") {
    Built built = build({{"p.yaml", R"(apiVersion: v1
kind: Service
metadata: { name: s }
$patch: delete
---
apiVersion: v1
kind: Service
spec: {}
---
apiVersion: batch/v1
kind: Job
metadata: { generateName: run- }
)"}});
    REQUIRE(built.index.objects.size() == 3);
    CHECK(built.index.objects[0].partial);
    CHECK(built.index.objects[1].partial);
    CHECK_FALSE(built.index.objects[2].partial);
}

TEST_CASE("a blueprint names its version and chart") {
    Built built = build({{"p/flux/blueprint.yaml", R"(apiVersion: catalyst.openova.io/v1alpha1
kind: Blueprint
metadata: { name: bp-flux }
spec:
  version: 1.0.0
  manifests: { chart: ./chart }
  depends: [bp-a, { blueprint: bp-b }]
)"}});
    REQUIRE(built.index.blueprints.size() == 1);
    CHECK(built.index.blueprints[0].version.text == "1.0.0");
    CHECK(built.index.blueprints[0].chart.text == "./chart");
    REQUIRE(built.index.blueprints[0].depends.size() == 2);
    CHECK(built.index.blueprints[0].depends[1].text == "bp-b");
}

#include "build_in_memory.h"
#include <doctest/doctest.h>

using namespace lockstep;

TEST_CASE("Flux objects that cloud-init writes from a .tftpl are at their place in the outer file") {
    Built built = build({{"infra/node.tftpl", R"(#cloud-config
packages:
  - git
%{ if harden ~}
  - fail2ban
%{ endif ~}
write_files:
  - path: /var/lib/flux.yaml
    content: |
      # comment
      apiVersion: source.toolkit.fluxcd.io/v1
      kind: GitRepository
      metadata:
        name: acme
        namespace: flux-system
      spec:
        url: ${repo_url}
      ---
      apiVersion: kustomize.toolkit.fluxcd.io/v1
      kind: Kustomization
      metadata:
        name: kit
        namespace: flux-system
      spec:
        path: ./clusters/${fqdn}/kit
        sourceRef: { kind: GitRepository, name: acme }
  - path: /usr/local/bin/x.sh
    content: |
      #!/bin/sh
      echo hi
runcmd:
  - 'kubectl apply -f /var/lib/flux.yaml'
  - [sh, -c, "helm install x"]
)"},
                         {"clusters/one/kit/kustomization.yaml", "resources: []\n"},
                         {"clusters/two/kit/kustomization.yaml", "resources: []\n"}});
    REQUIRE(built.index.sources.size() == 1);
    REQUIRE(built.index.flux_kustomizations.size() == 1);
    const Object& kit = built.object("Kustomization", "kit");
    CHECK(kit.embedded);
    CHECK(kit.bootstrap);
    CHECK(built.line_of(kit.name.place) == 22);
    CHECK(built.text_at(kit.name.place) == "kit");
    CHECK(built.text_at(kit.outer) == "content");
    CHECK(built.line_of(kit.outer) == 9);
    CHECK(built.index.sources[0].url.state == State::templated);
    CHECK(built.index.sources[0].url.text == "${repo_url}");
    const FluxEdges& edges = built.index.flux_edges[0];
    REQUIRE(edges.source != no_entity);
    CHECK(built.index.source_ours[edges.source] == Ours::yes);
    REQUIRE(built.index.scripts.size() == 3);
    CHECK(built.text_at(built.index.scripts[0].place) == "      #!/bin/sh\n      echo hi");
    CHECK(built.index.scripts[0].indent == 6);
    CHECK(built.text_at(built.index.scripts[1].place) == "kubectl apply -f /var/lib/flux.yaml");
    CHECK(built.text_at(built.index.scripts[2].place) == "helm install x");
    CHECK(built.index.scripts[2].bootstrap);
}

TEST_CASE("a PodSpec in a ConfigMap gives its script and image, owned by the ConfigMap") {
    Built built = build({{"step.yaml", R"(apiVersion: v1
kind: ConfigMap
metadata:
  name: step
data:
  note: containers are nice
  pod.yaml: |
    serviceAccountName: runner
    containers:
      - name: main
        image: alpine/git:2.45
        command: ["/bin/sh", "-ec"]
        args:
          - |
            git clone x
            kubectl get pods
)"}});
    REQUIRE(built.index.scripts.size() == 1);
    const Script& script = built.index.scripts[0];
    CHECK(script.image.text == "alpine/git:2.45");
    CHECK(built.line_of(script.image.place) == 11);
    CHECK(script.name.text == "main");
    CHECK(script.indent == 12);
    CHECK(built.line_of(script.place) == 15);
    CHECK(script.object == 0);
    CHECK(built.index.images.size() == 1);
}

TEST_CASE("a manifest in ConfigMap data is embedded, not bootstrap; plain text is nothing") {
    Built built = build({{"cm.yaml", R"(apiVersion: v1
kind: ConfigMap
metadata: { name: outer }
data:
  m.yaml: |
    apiVersion: v1
    kind: Secret
    metadata:
      name: inner
  config.yaml: |
    a: 1
  run.sh: |
    echo
)"}});
    REQUIRE(built.index.objects.size() == 2);
    CHECK(built.object("Secret", "inner").embedded);
    CHECK_FALSE(built.object("Secret", "inner").bootstrap);
    CHECK(built.line_of(built.object("Secret", "inner").name.place) == 9);
    REQUIRE(built.index.scripts.size() == 1);
    CHECK(built.index.scripts[0].name.text == "run.sh");
}

TEST_CASE("workflow steps are scripts with the image of their job") {
    Built built = build({{".github/workflows/w.yaml", R"(on: push
defaults: { run: { shell: bash } }
jobs:
  a:
    container: { image: "golang:1.22" }
    steps:
      - name: test
        run: |
          go test
      - run: make
  b:
    steps:
      - run: helm push
)"}});
    REQUIRE(built.index.scripts.size() == 3);
    CHECK(built.index.scripts[0].name.text == "test");
    CHECK(built.index.scripts[0].image.text == "golang:1.22");
    CHECK(built.text_at(built.index.scripts[1].place) == "make");
    CHECK(built.index.scripts[2].image.state == State::absent);
}

TEST_CASE("containers are found in any workload, and values' image maps are joined") {
    Built built = build({{"c.yaml", R"(apiVersion: batch/v1
kind: CronJob
metadata: { name: c }
spec:
  jobTemplate:
    spec:
      template:
        spec:
          containers:
            - image: busybox:1
              command: [sh, -c]
              args: ["date; sleep 1"]
            - image: busybox:2
              command: [sleep, "1"]
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: r }
spec:
  chartRef: { kind: OCIRepository, name: r }
  values:
    main: { image: { repository: ghcr.io/a/b, tag: "1" } }
)"}});
    REQUIRE(built.index.scripts.size() == 1);
    CHECK(built.text_at(built.index.scripts[0].place) == "date; sleep 1");
    REQUIRE(built.index.images.size() == 3);
    CHECK(built.index.images[2].image.text == "ghcr.io/a/b:1");
    CHECK(built.index.images[2].object == 1);
}

TEST_CASE("nesting has an end") {
    std::string text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n  x: |\n";
    std::string indent = "    ";
    std::string whole = text;
    for (int i = 0; i < 8; ++i) {
        std::string part = text;
        for (std::size_t at = 0; at < part.size();) {
            std::size_t end = part.find('\n', at) + 1;
            whole += indent + part.substr(at, end - at);
            at = end;
        }
        indent += "    ";
    }
    whole += indent + "a: 1\n";
    Built built = build({{"m.yaml", whole}});
    CHECK(built.index.objects.size() == 5);
}

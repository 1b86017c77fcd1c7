// Which files have bootstrap pins, by what their documents are.
#include "index/bootstrap.h"
#include "yaml/parse.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

// `kind version from` of each pin.
std::string told(std::string path, std::string text) {
    File file;
    file.path = std::move(path);
    file.text = std::move(text);
    file.state = FileState::read;
    const YamlText yaml = parse_yaml(file.text, file.path.ends_with(".tftpl") ? Dialect::terraform : Dialect::yaml);
    std::string out;
    for (const BootstrapPin& pin : file_pins(view_file(0, file, yaml), yaml))
        out += std::string(to_string(pin.kind)) + " " + pin.version.text + " " +
               std::to_string(static_cast<int>(pin.from)) + ";";
    return out;
}

const std::string url = "https://github.com/fluxcd/flux2/releases/download/v2.4.0/install.yaml";

} // namespace

TEST_CASE("cloud-init has pins, an object with a runcmd key has none") {
    CHECK(told("a/user-data.yaml", "#cloud-config\nruncmd:\n  - kubectl apply -f " + url + "\n") ==
          "flux-manifest v2.4.0 1;");
    CHECK(told("a/x.tftpl", "#cloud-config\nruncmd:\n  - kubectl apply -f " + url + "\n") == "flux-manifest v2.4.0 1;");
    CHECK(told("a/x.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: x }\nruncmd:\n  - kubectl apply -f " +
                               url + "\n") == "");
}

TEST_CASE("a kustomization's remote resource is a pin, its comment is none") {
    CHECK(told("k/kustomization.yaml", "resources:\n  # - " + url + "\n  - " + url + "\n") ==
          "flux-manifest v2.4.0 2;");
    CHECK(told("k/kustomization.yaml", "bases:\n  - github.com/fluxcd/flux2//manifests/install?ref=v2.1.0\n") ==
          "flux-kustomize-ref v2.1.0 2;");
}

TEST_CASE("the header of gotk-components is a pin by design") {
    CHECK(told("c/gotk-components.yaml", "---\n# Flux Version: v2.3.0\napiVersion: v1\nkind: Namespace\n") ==
          "flux-components v2.3.0 3;");
    CHECK(told("c/gotk-components.yaml", "# This file is written by flux\n") == "");
}

TEST_CASE("steps of a workflow are marked as such") {
    CHECK(told(".github/workflows/a.yaml",
               "on: push\njobs:\n  a:\n    steps:\n      - run: flux install --version v2.2.0\n") ==
          "flux-install v2.2.0 4;");
}

TEST_CASE("the Kubernetes of nodes is a pin where files of other tools name it") {
    CHECK(told("talos/talconfig.yaml", "clusterName: a\nkubernetesVersion: v1.33.1\n") == "kubernetes v1.33.1 5;");
    CHECK(told("topf.yaml", "talosVersion: v1.9.0\nkubernetesVersion: 1.33.1\n") == "kubernetes 1.33.1 5;");
    CHECK(told("a.yaml", "kubernetesVersion: v1.33.1\n") == "");
    CHECK(told("m.yaml", "machine:\n  kubelet:\n    image: ghcr.io/siderolabs/kubelet:v1.33.1@sha256:ab\n") ==
          "kubernetes v1.33.1 5;");
    CHECK(told("m.yaml", "machine:\n  kubelet:\n    image: reg.example.org:5000/kubelet\n") == "");
    CHECK(told("k.yaml",
               "apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: v1.33.1\n") ==
          "kubernetes v1.33.1 5;");
    CHECK(told("c.yaml", "apiVersion: controlplane.cluster.x-k8s.io/v1beta1\nkind: KubeadmControlPlane\n"
                         "metadata: { name: a }\nspec: { version: v1.33.1 }\n") == "kubernetes v1.33.1 5;");
    CHECK(told("c.yaml", "apiVersion: cluster.x-k8s.io/v1beta1\nkind: Cluster\nmetadata: { name: a }\n"
                         "spec: { topology: { version: v1.33.1 } }\n") == "kubernetes v1.33.1 5;");
    CHECK(told("kind.yaml", "apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\nnodes:\n"
                            "  - image: kindest/node:v1.30.0@sha256:ab\n  - role: worker\n") == "kind-node v1.30.0 5;");
    CHECK(told("a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\nspec: { version: v1.33.1 }\n") == "");
}

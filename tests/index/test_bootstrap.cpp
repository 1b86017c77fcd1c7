// Bootstrap pins: which commands install something, at which version, and where that version is written.
#include "index/bootstrap.h"
#include "yaml/parse.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

std::string told(const Cell& cell) {
    return (cell.state == State::known ? "" : cell.state == State::templated ? "~" : "-") + cell.text;
}

// `kind version` of each pin; for charts also `name chart repository`.
std::string told(const std::vector<BootstrapPin>& pins) {
    std::string out;
    for (const BootstrapPin& pin : pins) {
        if (!out.empty()) out += "; ";
        out += std::string(to_string(pin.kind)) + " " + told(pin.version);
        if (pin.kind == BootstrapPin::Kind::helm_install)
            out += " " + told(pin.name) + " " + told(pin.chart) + " " + told(pin.repository);
    }
    return out;
}

std::string told(std::string_view script) {
    return told(script_pins(3, script));
}

std::string_view at(std::string_view text, const Place& place) {
    return text.substr(place.span.begin, place.span.end - place.span.begin);
}

} // namespace

TEST_CASE("the manifest of a Flux release is a pin, with the version's own bytes") {
    const std::string_view text =
        "# https://github.com/fluxcd/flux2/releases/download/v2.0.0/install.yaml\n"
        "curl -fsSL 'https://github.com/fluxcd/flux2/releases/download/v2.4.0/install.yaml' | "
        "kubectl apply -f -\n";
    const auto pins = script_pins(3, text);
    CHECK(told(pins) == "flux-manifest v2.4.0");
    REQUIRE(pins.size() == 1);
    CHECK(at(text, pins[0].version.place) == "v2.4.0");
    CHECK(pins[0].version.place.file == 3);
    CHECK(at(text, pins[0].anchor) == "https://github.com/fluxcd/flux2/releases/download/v2.4.0/install.yaml");
}

TEST_CASE("a Flux manifest that moves has no version, a variable leaves it open") {
    CHECK(told("kubectl apply -f https://github.com/fluxcd/flux2/releases/latest/download/install.yaml") ==
          "flux-manifest -latest");
    CHECK(told("kubectl apply -f https://github.com/fluxcd/flux2/releases/download/${V}/install.yaml") ==
          "flux-manifest ~${V}");
    CHECK(told("kubectl apply --filename=https://github.com/fluxcd/flux2/releases/download/v2.1.0/install.yaml") ==
          "flux-manifest v2.1.0");
    CHECK(told("kubectl apply -f $X/fluxcd/flux2/releases/download/v2.1.0/install.yaml") == "flux-manifest v2.1.0");
}

TEST_CASE("kustomize references to Flux") {
    CHECK(told("kubectl apply -k github.com/fluxcd/flux2/manifests/install?ref=v2.2.0") == "flux-kustomize-ref v2.2.0");
    CHECK(told("kustomize build 'https://github.com/fluxcd/flux2.git//manifests/install?timeout=9&ref=main&x=1'") ==
          "flux-kustomize-ref -main");
    CHECK(told("kubectl apply -k https://github.com/fluxcd/flux2/manifests/install") == "flux-kustomize-ref -");
    CHECK(told("kubectl apply -k 'github.com/fluxcd/flux2/manifests/install?ref=0123456789abcdef'") ==
          "flux-kustomize-ref 0123456789abcdef");
}

TEST_CASE("talking about a URL is no pin") {
    CHECK(told("echo https://github.com/fluxcd/flux2/releases/latest/download/install.yaml") == "");
    CHECK(told("log \"see https://github.com/fluxcd/flux2/releases/latest/download/install.yaml\"") == "");
    CHECK(told("grep -q https://get.k3s.io file; echo https://get.k3s.io") == "");
    CHECK(told("cat <<E\nhelm install a b/c\nE") == "");
    CHECK(told("curl https://github.com/fluxcd/flux2/releases") == "");
}

TEST_CASE("a version in a variable is written where the variable is assigned") {
    const std::string_view text = "FLUX=2.3.0\n"
                                  "URL=https://github.com/fluxcd/flux2/releases/download/v${FLUX}/install.yaml\n"
                                  "kubectl apply -f \"$URL\"\n";
    const auto pins = script_pins(0, text);
    CHECK(told(pins) == "flux-manifest v2.3.0");
    CHECK(pins.at(0).version.place.span == Span{5, 10});
}

TEST_CASE("flux install and flux bootstrap") {
    CHECK(told("flux install --version=v2.4.0") == "flux-install v2.4.0");
    CHECK(told("sudo flux install -v v2.4.0 -n x") == "flux-install v2.4.0");
    CHECK(told("flux install") == "flux-install -");
    CHECK(told("flux install --version latest") == "flux-install -latest");
    CHECK(told("flux install $ARGS") == "flux-install ~");
    CHECK(told("flux bootstrap git --url=$U --path=clusters/x") == "flux-bootstrap -");
    CHECK(told("flux check --pre; flux get all") == "");
    CHECK(told("flux install --export > gotk.yaml") == "");
    CHECK(told("flux install --export --version v2.1.0 | kubectl apply -f -") == "flux-install v2.1.0");
    const auto pins =
        script_pins(0, "flux bootstrap github \\\n --components=source-controller,helm-controller --version $V");
    CHECK(told(pins) == "flux-bootstrap ~$V");
    CHECK(told(pins.at(0).components) == "source-controller,helm-controller");
}

TEST_CASE("helm install with its release, chart and repository") {
    const std::string_view text = "helm repo add cilium https://helm.cilium.io/\n"
                                  "K=x helm install cilium cilium/cilium \\\n  --version 1.16.5 --set a=b\n";
    const auto pins = script_pins(0, text);
    CHECK(told(pins) == "helm-install 1.16.5 cilium cilium https://helm.cilium.io/");
    REQUIRE(pins.size() == 1);
    CHECK(at(text, pins[0].version.place) == "1.16.5");
    CHECK(at(text, pins[0].repository.place) == "https://helm.cilium.io/");
    CHECK(at(text, pins[0].anchor).starts_with("K=x helm install"));
}

TEST_CASE("the ways helm takes a chart") {
    CHECK(told("helm upgrade -i --repo https://r.example/c a b --version=1") ==
          "helm-install 1 a b https://r.example/c");
    CHECK(told("helm upgrade --install a oci://r.example/x/b --version 2.0") ==
          "helm-install 2.0 a b oci://r.example/x");
    CHECK(told("helm install a oci://r.example/x/b:2.1") == "helm-install 2.1 a b oci://r.example/x");
    CHECK(told("helm install --generate-name q/b") == "helm-install - - q/b -");
    CHECK(told("helm -n x install a q/b --wait") == "helm-install - a q/b -");
    CHECK(told("helm install \"$N\" \"$C\" --version \"$V\"") == "helm-install ~$V ~$N ~$C -");
    CHECK(told("helm install \"$N\" $C") == "helm-install - ~$N ~$C -");
    CHECK(told("helm install a q/b \"${ARGS[@]}\"") == "helm-install ~ a q/b -");
    CHECK(told("helm install $ARGS") == "helm-install ~ ~$ARGS - -");
    CHECK(told("A='a q/b --version 3'\nhelm install $A") == "helm-install 3 a q/b -");
    CHECK(told("helm install a ./chart; helm install a /x/y.tgz; helm upgrade a q/b; helm template a q/b") == "");
}

TEST_CASE("k3s by version, by channel, by nothing") {
    CHECK(told("curl -sfL https://get.k3s.io | INSTALL_K3S_VERSION=v1.30.1+k3s1 K3S_TOKEN=x sh -s - server") ==
          "k3s-version v1.30.1+k3s1");
    CHECK(told("curl -sfL https://get.k3s.io | sudo INSTALL_K3S_VERSION=${v} sh -") == "k3s-version ~${v}");
    CHECK(told("export INSTALL_K3S_VERSION=v1.30.1+k3s1\ncurl -sfL https://get.k3s.io | sh -") ==
          "k3s-version v1.30.1+k3s1");
    CHECK(told("if x; then export INSTALL_K3S_VERSION=v1; fi\ncurl https://get.k3s.io | sh") == "k3s-version ~v1");
    CHECK(told("wget -qO /opt/k.sh https://get.k3s.io\nchmod +x /opt/k.sh\nINSTALL_K3S_VERSION=v1.29.0 /opt/k.sh") ==
          "k3s-version v1.29.0");
    CHECK(told("curl https://get.k3s.io > k.sh && INSTALL_K3S_VERSION=v1.29.0 sh k.sh agent") == "k3s-version v1.29.0");
    CHECK(told("INSTALL_K3S_VERSION=v1.28.0 sh -c \"$(curl -sfL https://get.k3s.io)\"") == "k3s-version v1.28.0");
    CHECK(told("curl https://get.k3s.io | INSTALL_K3S_CHANNEL=stable sh -") == "k3s-channel -stable");
    CHECK(told("curl https://get.k3s.io | INSTALL_K3S_VERSION= sh -") == "k3s-channel -");
    CHECK(told("curl https://get.k3s.io | sh -") == "k3s-channel -");
    CHECK(told("curl https://get.k3s.io | INSTALL_K3S_SKIP_DOWNLOAD=true sh -") == "");
    CHECK(told("INSTALL_K3S_VERSION=v1.27.0 /opt/install.sh") == "k3s-version v1.27.0");
}

TEST_CASE("installers of helm and of the flux command") {
    const std::string get_helm = "curl -fsSL https://raw.githubusercontent.com/helm/helm/main/scripts/get-helm-3";
    CHECK(told(get_helm + " | bash") == "helm-script -");
    CHECK(told(get_helm + " | DESIRED_VERSION=v3.15.0 bash") == "helm-script v3.15.0");
    CHECK(told(get_helm + " | bash -s -- --version v3.15.1") == "helm-script v3.15.1");
    CHECK(told(get_helm + " -o get.sh\nchmod 700 get.sh\n./get.sh --version v3.15.2") == "helm-script v3.15.2");
    CHECK(told("curl -s https://fluxcd.io/install.sh | sudo FLUX_VERSION=2.4.0 bash") == "flux-cli 2.4.0");
    CHECK(told("curl -s https://fluxcd.io/install.sh | sudo bash") == "flux-cli -");
    CHECK(told("curl -L https://github.com/fluxcd/flux2/releases/download/v2.4.0/flux_2.4.0_linux_amd64.tar.gz") ==
          "flux-cli v2.4.0");
}

TEST_CASE("cloud-init: runcmd of both shapes is one script, scripts of write_files are others") {
    const std::string_view text = "#cloud-config\n"
                                  "write_files:\n"
                                  "  - path: /opt/run\n"
                                  "    content: |\n"
                                  "      #!/bin/sh\n"
                                  "      helm install a q/b --version 1.0\n"
                                  "  - path: /opt/k.sh\n"
                                  "    content: \"flux install --version v2.1.0\\n\"\n"
                                  "  - path: /opt/notes.txt\n"
                                  "    content: |\n"
                                  "      flux install\n"
                                  "  - path: /opt/z.sh\n"
                                  "    encoding: b64\n"
                                  "    content: flux install\n"
                                  "bootcmd:\n"
                                  "  - [sh, -c, 'curl https://get.k3s.io | INSTALL_K3S_VERSION=${v} sh -']\n"
                                  "runcmd:\n"
                                  "  - VER=2.0\n"
                                  "  # - flux install\n"
                                  "  - helm repo add q 'https://r.example'\n"
                                  "  - [helm, install, c, q/d, --version, \"2.5\"]\n"
                                  "  - 'helm install e q/f --version \"$VER\" # it''s here'\n";
    const YamlText yaml = parse_yaml(text, Dialect::terraform);
    const auto pins = cloud_init_pins(7, yaml);
    CHECK(told(pins) == "helm-install 1.0 a q/b -; flux-install v2.1.0; k3s-version ~${v}; "
                        "helm-install 2.5 c d https://r.example; helm-install 2.0 e f https://r.example");
    REQUIRE(pins.size() == 5);
    CHECK(at(text, pins[1].version.place) == "v2.1.0");
    CHECK(at(text, pins[2].version.place) == "${v}");
    CHECK(at(text, pins[3].version.place) == "2.5");
    CHECK(pins[4].version.place.span.begin == text.find("2.0\n"));
    CHECK(cloud_init_scripts(yaml).size() == 4);
}

TEST_CASE("a Terraform template that is a script, and steering lines around runcmd") {
    const std::string_view script = "#!/bin/bash\n%{ if flux ~}\nflux install --version ${flux_version}\n%{ endif ~}\n";
    CHECK(told(cloud_init_pins(0, parse_yaml(script, Dialect::terraform))) == "flux-install ~${flux_version}");
    const std::string_view cloud = "runcmd:\n%{ if a ~}\n  - flux install --version v2.2.0\n%{ endif ~}\n  - |\n"
                                   "    VER=v2.3.0\n%{ if b ~}\n    flux install --version $${VER}\n%{ endif ~}\n";
    CHECK(told(cloud_init_pins(0, parse_yaml(cloud, Dialect::terraform))) ==
          "flux-install v2.2.0; flux-install v2.3.0");
}

TEST_CASE("the header of gotk-components is the one comment that pins") {
    const std::string_view text = "---\n# This manifest was generated by flux. DO NOT EDIT.\n  # Flux Version: v1.0.0\n"
                                  "# Flux Version: v2.4.0\r\n# Components: a\n";
    const Cell cell = flux_version_header(5, text);
    CHECK(told(cell) == "v2.4.0");
    CHECK(at(text, cell.place) == "v2.4.0");
    CHECK(cell.place.file == 5);
    CHECK(told(flux_version_header(5, "a: '# Flux Version: v2'\n")) == "-");
    CHECK(told(flux_version_header(5, "# Flux Version: \n")) == "-");
}

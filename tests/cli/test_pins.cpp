// The page of `lockstep pins`, and what the two real trees with the Flux split and its repair must say.
#include "cli/commands.h"
#include "memory_run.h"
#include <filesystem>

using namespace lockstep;

namespace {

const std::string flux_chart = "apiVersion: v2\nname: platform-flux\nversion: 0.3.0\ndependencies:\n"
                               "  - name: flux2\n    version: 2.13.0\n"
                               "    repository: https://fluxcd-community.github.io/helm-charts\n";
const std::string node = "#cloud-config\nruncmd:\n"
                         "  - curl https://get.k3s.io | INSTALL_K3S_VERSION=v1.31.4+k3s1 sh -\n"
                         "  - kubectl apply -f https://github.com/fluxcd/flux2/releases/download/v2.4.0/install.yaml\n"
                         "  - helm install net oci://registry.example.org/net --version 1.2.0\n";
const std::string net_chart = "apiVersion: v2\nname: base\nversion: 0.1.0\ndependencies:\n  - name: net\n"
                              "    version: 1.2.0\n    repository: oci://registry.example.org/\n";

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("pins: Flux sites of one group with the release each stands for") {
    auto made = run_rule({{"charts/flux/Chart.yaml", flux_chart}, {"infra/node.tftpl", node}}, "");
    const std::string page = pins_text(*made.run);
    CHECK(has(page, "Flux\n  bootstrap files, local charts, template tree  (differ)\n"));
    CHECK(has(page, "    Flux 2.4.0  cloud-init    infra/node.tftpl:4\n"));
    CHECK(has(page, "    Flux 2.3.0  flux2 2.13.0  charts/flux/Chart.yaml:6\n"));
    CHECK(has(page, "    v1.31.4+k3s1  k3s-version  infra/node.tftpl:3\n"));
}

TEST_CASE("pins: a chart from elsewhere is one group over bootstrap and dependencies") {
    auto made = run_rule({{"charts/base/Chart.yaml", net_chart}, {"infra/node.tftpl", node}}, "");
    const std::string page = pins_text(*made.run);
    CHECK(has(page, "  net from registry.example.org\n    1.2.0  helm install        infra/node.tftpl:5\n"
                    "    1.2.0  dependency of base  charts/base/Chart.yaml:6\n"));
    CHECK(has(page, "Charts of this repository\n  1 pinned in one place only\n"));
}

TEST_CASE("pins: groups of the config list the canonical site once") {
    const std::string config = "pins:\n  k3s:\n    canonical: a\n    sites:\n"
                               "      a: { files: a.yaml, yaml: v }\n      b: { files: b.yaml, yaml: v }\n"
                               "      c: { files: c.yaml, yaml: v }\n";
    auto made = run_rule({{"a.yaml", "v: 1.0.0\n"}, {"b.yaml", "v: 1.0.1\n"}, {"c.yaml", "v: 1.0.0\n"}}, "", config);
    CHECK(pins_text(*made.run) == "Groups of the config\n  k3s  (differ)\n    1.0.0  a  a.yaml:1\n"
                                  "    1.0.1  b  b.yaml:1\n    1.0.0  c  c.yaml:1\n");
}

TEST_CASE("pins: an empty repository says so") {
    auto made = run_rule({{"a.yaml", "a: b\n"}}, "");
    CHECK(has(pins_text(*made.run), "no pins"));
}

TEST_CASE("a floating bootstrap pin is reported once, and the split check counts it as lost") {
    const std::string latest = "#cloud-config\nruncmd:\n"
                               "  - kubectl apply -f "
                               "https://github.com/fluxcd/flux2/releases/latest/download/install.yaml\n";
    auto made = run_rule({{"charts/flux/Chart.yaml", flux_chart}, {"infra/node.tftpl", latest}}, "");
    made.rule = "bootstrap-pin-floating";
    CHECK(made.lines() == std::vector<std::string>{"infra/node.tftpl:3: error: Flux's install.yaml follows `latest` "
                                                   "instead of a version"});
    made.rule = "flux-version-split";
    CHECK(made.lines().empty());
    CHECK(made.count(Verdict::lost) == 1);
}

TEST_CASE("the two real trees: the split is one error at the chart, the repaired one is silent") {
    const std::string corpus = std::string(LOCKSTEP_SOURCE_ROOT) + "/../shared/corpus/";
    if (!std::filesystem::exists(corpus)) {
        MESSAGE("no corpus beside the project; skipped");
        return;
    }
    LintRequest request;
    request.selection.only = {"flux-version-split"};
    request.path = corpus + "openova-flux-split";
    auto split = lint(request);
    REQUIRE(split);
    REQUIRE((*split)->findings.size() == 1);
    const Finding& finding = (*split)->findings.front();
    CHECK((*split)->locator->locate(finding.place).path == "platform/flux/chart/Chart.yaml");
    REQUIRE(finding.related.size() == 1);
    const Location other = (*split)->locator->locate(finding.related.front().place);
    CHECK(other.path == "infra/hetzner/cloudinit-control-plane.tftpl");
    CHECK(other.begin.line == 342);
    request.path = corpus + "openova-flux-aligned";
    auto aligned = lint(request);
    REQUIRE(aligned);
    CHECK((*aligned)->findings.empty());
}

#include "../index/build_in_memory.h"
#include "report/index_report.h"
#include <doctest/doctest.h>

using namespace lockstep;

TEST_CASE("the listing names each entity with its line") {
    const std::string objects =
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: { name: acme, namespace: flux-system "
        "}\n"
        "spec: { url: \"oci://ghcr.io/acme\" }\n---\n"
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: web, namespace: flux-system "
        "}\nspec:\n  chart:\n"
        "    spec: { chart: web, version: 1.1.0, sourceRef: { kind: HelmRepository, name: acme } }\n";
    Built built =
        build({{"charts/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2.0\n"}, {"r.yaml", objects}});
    std::string text = index_text(built.index, *built.locator);
    CHECK(text.find("HelmRelease flux-system/web  chart web 1.1.0 from HelmRepository acme   r.yaml:8") !=
          std::string::npos);
    CHECK(text.find("web 1.2.0   charts/web/Chart.yaml:2") != std::string::npos);
    std::string json = index_json(built.index, *built.locator);
    CHECK(json.find("\"sourceUrl\": \"oci://ghcr.io/acme\"") != std::string::npos);
    CHECK(json.find("\"line\": 8") != std::string::npos);
}

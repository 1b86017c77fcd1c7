// What happens between Helm and the cluster: values files, post-renderers, common metadata, hooks that are switched
// off.
#include "deploy/rendered_chart.h"
#include "release_in_memory.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

const std::string hook = "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: migrate\n"
                         "  annotations: { helm.sh/hook: \"pre-install,pre-upgrade\" }\n";
const std::string definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
                               "metadata:\n  name: carts.shop.example.org\n";
const std::string label_all = "  postRenderers:\n    - kustomize:\n        patches:\n"
                              "          - target: { kind: \"Job|Deployment|CustomResourceDefinition\" }\n"
                              "            patch: |\n"
                              "              - { op: add, path: /metadata/labels, value: { seen: \"yes\" } }\n";

std::string label(const BuiltFleet& made, std::string_view kind, std::string_view key = "seen") {
    const Value* found = value(made, kind, {"metadata", "labels", key});
    return found ? std::string(found->text) : value(made, kind, {"metadata"}) ? "none" : "no such object";
}

std::string first_error(const BuiltFleet& made) {
    for (const Root& root : made.fleet->roots)
        if (root.by == Root::By::release && !root.errors.empty()) return root.errors[0].message;
    return {};
}

std::string why_not(const BuiltFleet& made) {
    return made.fleet->releases.empty() ? "no release" : made.fleet->releases[0].why_not;
}

} // namespace

TEST_CASE("hooks reach post-renderers only where the Flux at hand gives them") {
    const auto seen = [](const std::string& flux, const std::string& strategy = "") {
        return label(fleet_with(release(label_all + strategy), "replicas: 1\n",
                                {{"charts/web/templates/hook.yaml", hook}}, flux),
                     "Job");
    };
    CHECK(seen("") == "none");
    CHECK(seen("2.7.5") == "none");
    CHECK(seen("2.8.0") == "yes");
    CHECK(seen("2.8.5") == "yes");
    CHECK(seen("2.8.6") == "none");
    CHECK(seen("2.9.0") == "yes");
    CHECK(seen("2.9.0", "  postRenderStrategy: nohooks\n") == "none");
    CHECK(seen("2.9.0", "  postRenderStrategy: separate\n") == "yes");
    CHECK(seen("2.9.0", "  postRenderStrategy: combined\n") == "yes");
}

TEST_CASE("files of crds/ never reach post-renderers, definitions among the templates do") {
    const MoreFiles apart{{"charts/web/crds/carts.yaml", definition}};
    const MoreFiles rendered{{"charts/web/templates/carts.yaml", definition}};
    const std::string metadata = "  commonMetadata: { labels: { team: shop } }\n";
    const BuiltFleet first = fleet_with(release(label_all + metadata), "replicas: 1\n", apart);
    CHECK(label(first, "CustomResourceDefinition") == "none");
    CHECK(label(first, "CustomResourceDefinition", "team") == "none");
    CHECK(label(first, "Deployment") == "yes");
    const BuiltFleet second = fleet_with(release(label_all + metadata), "replicas: 1\n", rendered);
    CHECK(label(second, "CustomResourceDefinition") == "yes");
    CHECK(label(second, "CustomResourceDefinition", "team") == "shop");
}

TEST_CASE("post-renderers run one after the other") {
    const std::string image = "apiVersion: v1\nkind: Pod\nmetadata: { name: pod }\n"
                              "spec:\n  containers: [{ name: web, image: \"nginx:1\" }]\n";
    const BuiltFleet made = fleet_with(
        release("  postRenderers:\n"
                "    - kustomize: { images: [{ name: nginx, newName: mirror/nginx }] }\n"
                "    - kustomize: { images: [{ name: mirror/nginx, newTag: \"5\" }, { name: nginx, newTag: \"7\" }] }\n"
                "    - kustomize:\n        patches:\n          - patch: |\n              apiVersion: v1\n"
                "              kind: Pod\n              metadata: { name: pod }\n"
                "              spec: { containers: [{ name: extra, image: \"nginx:2\" }] }\n"),
        "replicas: 1\n", {{"charts/web/templates/pod.yaml", image}});
    const Value* containers = value(made, "Pod", {"spec", "containers"});
    REQUIRE(containers);
    std::string images;
    for (const Value* one : containers->items())
        images += std::string(one->text_of("image")) + " ";
    CHECK(images == "nginx:2 mirror/nginx:5 ");
}

TEST_CASE("common metadata is put on everything that is rendered, after the post-renderers") {
    const BuiltFleet made = fleet_with(
        release("  commonMetadata:\n    labels: { team: shop, seen: last }\n    annotations: { note: here }\n" +
                label_all),
        "replicas: 1\n", {{"charts/web/templates/hook.yaml", hook}});
    CHECK(label(made, "Deployment", "team") == "shop");
    CHECK(label(made, "Deployment") == "last");
    const Value* note = value(made, "Deployment", {"metadata", "annotations", "note"});
    REQUIRE(note);
    CHECK(at(made, note->changed_by) == "clusters/prod/web.yaml:8");
    CHECK(label(made, "Job", "team") == "none"); // Helm 3 does not show it hooks
}

TEST_CASE("hooks that the release switches off are not applied") {
    const std::string upgrade = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: check\n"
                                "  annotations: { helm.sh/hook: post-upgrade }\n";
    const auto names = [&](const std::string& more) {
        return fleet_with(release(more), "replicas: 1\n",
                          {{"charts/web/templates/hook.yaml", hook}, {"charts/web/templates/up.yaml", upgrade}});
    };
    const std::string no_install = "  install: { disableHooks: true }\n",
                      no_upgrade = "  upgrade: { disableHooks: true }\n";
    CHECK(names("").find("Job", "migrate"));
    CHECK(names(no_install).find("Job", "migrate"));
    CHECK_FALSE(names(no_upgrade).find("Pod", "check"));
    CHECK(names(no_upgrade).find("Job", "migrate"));
    CHECK_FALSE(names(no_install + no_upgrade).find("Job", "migrate"));
    CHECK(names(no_install + no_upgrade).find("Deployment", "web"));
}

TEST_CASE("an object that is a hook and a part of the release fails where both are in one stream") {
    std::string twice = deployment;
    twice.insert(twice.find("spec:"), "  annotations: { helm.sh/hook: pre-install }\n");
    const auto made = [&](const std::string& flux) {
        return fleet_with(release(""), "replicas: 1\n", {{"charts/web/templates/hook.yaml", twice}}, flux);
    };
    CHECK(first_error(made("2.7.5")) == "");
    CHECK(first_error(made("2.8.7")) == "");
    CHECK(first_error(made("2.8.0")).find("already registered id") != std::string::npos);
    CHECK(first_error(made("2.9.0")).find("already registered id") != std::string::npos);
}

TEST_CASE("a post-renderer's patch for what is not rendered is an error of the release") {
    const BuiltFleet made =
        fleet_with(release("  postRenderers:\n    - kustomize:\n        patches:\n          - patch: |\n"
                           "              apiVersion: apps/v1\n              kind: Deployment\n"
                           "              metadata: { name: other }\n"),
                   "replicas: 1\n");
    CHECK(first_error(made).find("no resource matches strategic merge patch") != std::string::npos);
    CHECK(made.text(made.find("Deployment", "web"), {"spec", "replicas"}) == "1");
}

TEST_CASE("values files of a Git source begin at its root and stand in for the chart's own values") {
    const auto replicas = [](const std::string& files, MoreFiles more = {}) {
        const std::string text = release("");
        const std::string where = "chart: ./charts/web, ";
        std::string asked = text;
        asked.insert(asked.find(where) + where.size(), files + ", ");
        more.push_back({"values.yaml", "replicas: 9\n"});
        more.push_back({"charts/web/more.yaml", "replicas: 4\n"});
        const BuiltFleet made = fleet_with(asked, "replicas: 1\n", std::move(more));
        const std::string why = why_not(made);
        return why.empty() ? made.text(made.find("Deployment", "web"), {"spec", "replicas"}) : why;
    };
    CHECK(replicas("valuesFiles: [./charts/web/more.yaml]") == "4");
    CHECK(replicas("valuesFiles: [charts/web/values.yaml, ../charts/web/more.yaml]") == "4");
    CHECK(replicas("valuesFiles: [charts/web/more.yaml, charts/web/values.yaml]") == "1");
    // This one path is the chart's own, wherever the chart is; with another beside it, it begins at the root as well.
    CHECK(replicas("valuesFiles: [values.yaml]") == "1");
    CHECK(replicas("valuesFiles: [charts/web/values.yaml, values.yaml]") == "9");
    CHECK(replicas("valuesFiles: [more.yaml]") == "no values file found at path '/more.yaml' (reference 'more.yaml')");
    CHECK(replicas("valuesFiles: [more.yaml, charts/web/more.yaml], ignoreMissingValuesFiles: true") == "4");
    // Nothing of the chart's own values is left then.
    CHECK(replicas("valuesFiles: [more.yaml], ignoreMissingValuesFiles: true") == "");
}

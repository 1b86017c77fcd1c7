// What `lockstep diff` says of clusters, what `lockstep pins` says of patched versions, and whose clusters a finding
// names.
#include "cli/commands.h"
#include "cli/diff_items.h"
#include "memory_run.h"

using namespace lockstep;

namespace {

const std::string sync = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n"
                         "metadata: { name: flux-system, namespace: flux-system }\n"
                         "spec: { interval: 1m, url: \"https://git.example.org/fleet\", ref: { branch: main } }\n";

std::string kustomization(const std::string& name, const std::string& path) {
    return "---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: " + name +
           ", namespace: flux-system }\nspec:\n  path: " + path +
           "\n  prune: true\n  sourceRef: { kind: GitRepository, name: flux-system }\n";
}

std::string cluster(const std::string& name, const std::string& apps) {
    return sync + kustomization("flux-system", "./clusters/" + name) + apps;
}

const std::string list = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n";
const std::string settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings, namespace: shop }\n";

std::vector<std::string> cluster_differences(Files before, Files after) {
    const MemoryRun base = run_rule(before, ""), head = run_rule(after, "");
    std::vector<std::string> lines;
    for (const Difference& one : differences(diff_items(base.run->read.repository),
                                             diff_items(head.run->read.repository), base.run->tree, head.run->tree))
        if (one.section == Difference::Section::clusters)
            lines.push_back(one.what + ": " + (one.before ? one.before->value : "-") + " -> " +
                            (one.after ? one.after->value : "-"));
    return lines;
}

} // namespace

TEST_CASE("diff: an entry that goes takes the object from the cluster, though no manifest changed") {
    const std::string own = cluster("prod", kustomization("apps", "./apps"));
    CHECK(cluster_differences({{"clusters/prod/sync.yaml", own},
                               {"apps/kustomization.yaml", list + "resources: [settings.yaml]\n"},
                               {"apps/settings.yaml", settings}},
                              {{"clusters/prod/sync.yaml", own},
                               {"apps/kustomization.yaml", list + "resources: []\n"},
                               {"apps/settings.yaml", settings}}) ==
          std::vector<std::string>{"ConfigMap shop/settings: clusters/prod -> -"});
}

TEST_CASE("pins: a version that an overlay patches is listed with the cluster that gets it") {
    const std::string release = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
                                "metadata: { name: web, namespace: shop }\nspec:\n  chart:\n    spec:\n"
                                "      chart: web\n      version: 1.0.0\n"
                                "      sourceRef: { kind: HelmRepository, name: acme }\n";
    const std::string source =
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\n"
        "metadata: { name: acme, namespace: shop }\nspec: { url: \"https://charts.example.org\" }\n";
    const std::string patch =
        "patches:\n  - patch: |\n      apiVersion: helm.toolkit.fluxcd.io/v2\n      kind: HelmRelease\n"
        "      metadata: { name: web, namespace: shop }\n"
        "      spec: { chart: { spec: { version: 1.1.0 } } }\n";
    const MemoryRun made = run_rule({{"clusters/one/sync.yaml", cluster("one", kustomization("apps", "./one"))},
                                     {"clusters/two/sync.yaml", cluster("two", kustomization("apps", "./two"))},
                                     {"base/kustomization.yaml", list + "resources: [release.yaml, source.yaml]\n"},
                                     {"base/release.yaml", release},
                                     {"base/source.yaml", source},
                                     {"one/kustomization.yaml", list + "resources: [../base]\n"},
                                     {"two/kustomization.yaml", list + "resources: [../base]\n" + patch}},
                                    "");
    const std::string page = pins_text(*made.run);
    INFO(page);
    CHECK(page.find("1.0.0  HelmRelease web in clusters/one  base/release.yaml:8") != std::string::npos);
    CHECK(page.find("1.1.0  HelmRelease web in clusters/two  two/kustomization.yaml:") != std::string::npos);
}

TEST_CASE("a finding names the clusters it is about, not all that get the file") {
    MemoryRun made = run_rule(
        {{"clusters/one/sync.yaml", cluster("one", kustomization("apps", "./apps") + kustomization("more", "./apps"))},
         {"clusters/two/sync.yaml", cluster("two", kustomization("apps", "./apps"))},
         {"apps/kustomization.yaml", list + "resources: [settings.yaml]\n"},
         {"apps/settings.yaml", settings}},
        "");
    made.rule = "object-owned-twice";
    REQUIRE(made.first().applied_by);
    CHECK(made.first().applied_by->clusters == std::vector<std::string>{"clusters/one"});
}

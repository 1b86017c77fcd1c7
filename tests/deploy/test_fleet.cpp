#include "../tree/scratch.h"
#include "fleet_in_memory.h"
#include "index/own_sources.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

std::string sync(const std::string& path, const std::string& url = "https://git.example.org/team/fleet") {
    return "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: flux-system, namespace: "
           "flux-system }\n"
           "spec: { url: \"" +
           url +
           "\", ref: { branch: main } }\n---\n"
           "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: flux-system, namespace: "
           "flux-system }\n"
           "spec: { path: ./" +
           path + ", prune: true, sourceRef: { kind: GitRepository, name: flux-system } }\n";
}

std::string flux(const std::string& name, const std::string& path, const std::string& more = "") {
    return "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: " + name +
           ", namespace: flux-system }\nspec:\n  path: " + path +
           "\n  prune: true\n  sourceRef: { kind: GitRepository, name: flux-system }\n" + more;
}

std::string config_map(const std::string& name, const std::string& data = "a: b") {
    return "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: " + name + " }\ndata: { " + data + " }\n";
}

std::string lists(const std::string& entries, const std::string& more = "") {
    return "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n" + more + "resources:\n" + entries;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("a cluster gets what its sync applies, and what that applies in turn") {
    const BuiltFleet made = fleet_for({
        {"clusters/prod/flux-system/gotk-sync.yaml", sync("clusters/prod")},
        {"clusters/prod/apps.yaml", flux("apps", "./apps")},
        {"apps/kustomization.yaml", lists("- web.yaml\n", "namespace: shop\n")},
        {"apps/web.yaml", config_map("web")},
        {"apps/other.yaml", config_map("other")},
    });
    REQUIRE(made.fleet->clusters.size() == 1);
    CHECK(made.fleet->clusters[0].name == "clusters/prod");
    const Instance* web = made.find("ConfigMap", "web");
    REQUIRE(web);
    CHECK(web->id().ns == "shop");
    CHECK(made.fleet->certainty_of(*web) == Certainty::proven);
    CHECK(made.fleet->root_of(*web).name == "apps");
    CHECK(!made.find("ConfigMap", "other"));
    const auto chain = made.fleet->chain_of(*web);
    REQUIRE(chain.size() >= 3);
    CHECK(chain.front().by == ChainLink::By::given);
    CHECK(chain.back().by == ChainLink::By::kustomization);
    CHECK(made.built.text_at(chain.back().place) == "web.yaml");
}

TEST_CASE("a source of another project is not this tree, whatever its path") {
    const BuiltFleet made = fleet_for({
        {"clusters/prod/flux-system/gotk-sync.yaml", sync("clusters/prod")},
        {"clusters/prod/theirs.yaml", "apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: { name: "
                                      "theirs, namespace: flux-system }\n"
                                      "spec: { url: oci://registry.example.org/theirs }\n---\n"
                                      "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { "
                                      "name: theirs, namespace: flux-system }\n"
                                      "spec: { path: ./, sourceRef: { kind: OCIRepository, name: theirs } }\n"},
        {"loose/config.yaml", config_map("loose")},
    });
    CHECK(!made.find("ConfigMap", "loose"));
    bool gap = false;
    for (const Root& root : made.fleet->roots)
        gap = gap || (root.name == "theirs" && !root.gaps.empty() && root.gaps[0].why == Gap::Why::remote);
    CHECK(gap);
}

TEST_CASE("two syncs are two clusters, and a base they share is two instances") {
    const BuiltFleet made = fleet_for({
        {"clusters/a/flux-system/gotk-sync.yaml", sync("clusters/a")},
        {"clusters/a/apps.yaml", flux("apps", "./apps")},
        {"clusters/b/flux-system/gotk-sync.yaml", sync("clusters/b")},
        {"clusters/b/apps.yaml", flux("apps", "./apps", "  targetNamespace: b\n")},
        {"apps/web.yaml", config_map("web")},
    });
    REQUIRE(made.fleet->clusters.size() == 2);
    CHECK(made.names("clusters/a") == Names{"ConfigMap /web", "GitRepository flux-system/flux-system",
                                            "GitRepository flux-system/flux-system", "Kustomization flux-system/apps",
                                            "Kustomization flux-system/flux-system",
                                            "Kustomization flux-system/flux-system"});
    const auto names = made.names("clusters/b");
    CHECK(std::count(names.begin(), names.end(), "ConfigMap b/web") == 1);
}

TEST_CASE("a patch on a Flux Kustomization changes where it looks, and a fragment applies nothing") {
    const BuiltFleet made = fleet_for({
        {"clusters/prod/flux-system/gotk-sync.yaml", sync("clusters/prod")},
        {"clusters/prod/kustomization.yaml",
         lists("- flux-system/gotk-sync.yaml\n- apps.yaml\n", "patches:\n- path: patch.yaml\n")},
        {"clusters/prod/apps.yaml", flux("apps", "./base")},
        {"clusters/prod/patch.yaml", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
                                     "metadata: { name: apps, namespace: flux-system }\nspec: { path: ./prod }\n"},
        {"base/config.yaml", config_map("base")},
        {"prod/config.yaml", config_map("prod")},
    });
    CHECK(made.find("ConfigMap", "prod"));
    CHECK(!made.find("ConfigMap", "base"));
}

TEST_CASE("variables of postBuild are filled in, also in a path and from a ConfigMap of the cluster") {
    const BuiltFleet made = fleet_for({
        {"clusters/prod/flux-system/gotk-sync.yaml", sync("clusters/prod")},
        {"clusters/prod/settings.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings, namespace: "
                                        "flux-system }\ndata: { REGION: north, COUNT: \"3\" }\n"},
        {"clusters/prod/apps.yaml",
         flux("apps", "./apps", "  postBuild: { substituteFrom: [{ kind: ConfigMap, name: settings }] }\n")},
        {"apps/inner.yaml", flux("inner", "./regions/${REGION}")},
        {"apps/web.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web-${REGION}\n"
                          "spec:\n  replicas: ${COUNT}\n  paused: ${NOPE:-false}\n"},
        {"regions/north/config.yaml", config_map("north")},
    });
    CHECK(made.find("ConfigMap", "north"));
    const Instance* web = made.find("Deployment", "web-north");
    REQUIRE(web);
    CHECK(made.text(web, {"spec", "replicas"}) == "3");
    CHECK(made.text(web, {"metadata", "name"}) == "web-north");
    const Value* replicas = value_at(made.fleet->tree_of(*web), {"spec", "replicas"});
    REQUIRE(replicas);
    CHECK(replicas->tag == "!!int");
    CHECK(made.built.text_at(replicas->changed_by) == "\"3\"");
}

TEST_CASE("a variable of a Secret that this cluster does not get is unknown, not empty") {
    const BuiltFleet made = fleet_for({
        {"clusters/prod/flux-system/gotk-sync.yaml", sync("clusters/prod")},
        {"clusters/prod/apps.yaml",
         flux("apps", "./apps", "  postBuild: { substituteFrom: [{ kind: Secret, name: settings }] }\n")},
        {"apps/web.yaml", config_map("web", "host: \"${HOST}\"")},
        {"dev/settings.yaml", "apiVersion: v1\nkind: Secret\nmetadata: { name: settings, namespace: flux-system }\n"
                              "stringData: { OTHER: x }\n"},
    });
    const Instance* web = made.find("ConfigMap", "web");
    REQUIRE(web);
    const Value* host = value_at(made.fleet->tree_of(*web), {"data", "host"});
    REQUIRE(host);
    CHECK(host->unknown);
}

TEST_CASE("what nothing applies is loose where the tree has roots, and taken as applied where it has none") {
    const FileList alone = {{"app/kustomization.yaml", lists("- web.yaml\n")}, {"app/web.yaml", config_map("web")}};
    const BuiltFleet without = fleet_for(alone);
    CHECK(!without.fleet->has_roots);
    REQUIRE(without.find("ConfigMap", "web"));
    CHECK(without.fleet->certainty_of(*without.find("ConfigMap", "web")) == Certainty::proven);
    const BuiltFleet with = fleet_for({{"clusters/prod/flux-system/gotk-sync.yaml", sync("clusters/prod")},
                                       {"app/kustomization.yaml", lists("- web.yaml\n")},
                                       {"app/web.yaml", config_map("web")}});
    REQUIRE(with.find("ConfigMap", "web"));
    CHECK(with.fleet->certainty_of(*with.find("ConfigMap", "web")) == Certainty::loose);
    const BuiltFleet named = fleet_for({{"clusters/prod/flux-system/gotk-sync.yaml", sync("clusters/prod")},
                                        {"app/kustomization.yaml", lists("- web.yaml\n")},
                                        {"app/web.yaml", config_map("web")}},
                                       {"app"});
    CHECK(named.fleet->certainty_of(*named.find("ConfigMap", "web")) == Certainty::proven);
}

TEST_CASE(
    "Flux leaves .github out of a folder that it lists by itself, unless a pattern of the source says what to leave") {
    const auto with = [](const std::string& ignored) {
        return fleet_for({{"flux/gotk-sync.yaml", sync("")},
                          {".github/sample.yaml", config_map("sample")},
                          {".sourceignore", ignored},
                          {"drafts/a.yaml", config_map("draft")},
                          {"web.yaml", config_map("web")}});
    };
    const BuiltFleet none = with("# nothing yet\n\n"), one = with("/drafts/\n");
    CHECK(none.find("ConfigMap", "web"));
    CHECK(!none.find("ConfigMap", "sample"));
    CHECK(none.find("ConfigMap", "draft"));
    CHECK(one.find("ConfigMap", "web"));
    CHECK(one.find("ConfigMap", "sample"));
    CHECK(!one.find("ConfigMap", "draft"));
}

TEST_CASE("Kustomizations that list one another many times end soon") {
    Tree tree = tree_in_memory({});
    std::string all;
    for (int i = 0; i < 12; ++i)
        all += (i ? "---\n" : "") + flux("ks-" + std::to_string(i), "./all");
    const BuiltFleet made = fleet_for({{"all/ks.yaml", all}, {"flux/gotk-sync.yaml", sync("all")}});
    CHECK(made.fleet->roots.size() < 40);
}

TEST_CASE("one url in three spellings is one repository") {
    for (const char* url : {"https://git.example.org/team/fleet", "https://git.example.org/team/fleet.git/",
                            "ssh://git@git.example.org/team/fleet", "ssh://git@Git.example.org:22/team/fleet.git",
                            "git@git.example.org:team/fleet.git"})
        CHECK(repository_key(url) == "git.example.org/team/fleet");
    CHECK(repository_key("https://git.example.org/team/other") != "git.example.org/team/fleet");
}

TEST_CASE("a generated name holds the hash of a file that is no text") {
    const Scratch scratch;
    scratch.write("app/kustomization.yaml", "configMapGenerator: [{ name: logo, files: [logo.png] }]\n");
    scratch.write("app/logo.png", std::string_view("\0\x01\xff picture", 11));
    Result<Tree> tree = walk(scratch.root(), {});
    REQUIRE(tree);
    const BuiltFleet made = fleet_for(build_tree(std::move(*tree)));
    CHECK(made.names() == std::vector<std::string>{"ConfigMap /logo-h77bbt7kth"});
}

#include "fleet_in_memory.h"
#include <algorithm>
#include <chrono>
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

std::string flux(const std::string& name, const std::string& path, const std::string& kind = "GitRepository",
                 const std::string& source = "flux-system") {
    return "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: " + name +
           ", namespace: flux-system }\nspec:\n  path: " + path + "\n  sourceRef: { kind: " + kind +
           ", name: " + source + " }\n";
}

std::string object(const std::string& kind, const std::string& name) {
    return "apiVersion: v1\nkind: " + kind + "\nmetadata: { name: " + name + " }\n";
}

Tree sorted_tree(Files files) {
    Tree tree;
    std::sort(files.begin(), files.end());
    for (auto& [path, text] : files)
        tree.files.push_back({path, std::move(text), 0, FileState::read});
    return tree;
}

std::vector<std::string> dirs_of(const BuiltFleet& made) {
    std::vector<std::string> dirs;
    for (const Root& root : made.fleet->roots)
        if (root.by == Root::By::flux) dirs.push_back(root.dir);
    std::sort(dirs.begin(), dirs.end());
    return dirs;
}

bool has_gap(const Root& root, Gap::Why why) {
    return std::any_of(root.gaps.begin(), root.gaps.end(), [&](const Gap& gap) { return gap.why == why; });
}

const Root* root_called(const BuiltFleet& made, std::string_view name) {
    for (const Root& root : made.fleet->roots)
        if (root.name == name) return &root;
    return nullptr;
}

} // namespace

TEST_CASE("a folder of a generated artifact is the folder it was copied from") {
    const BuiltFleet made = fleet_for({{"clusters/a/gen.yaml", R"(apiVersion: source.extensions.fluxcd.io/v1beta1
kind: ArtifactGenerator
metadata: { name: gen, namespace: flux-system }
spec:
  sources: [{ alias: repo, kind: GitRepository, name: flux-system }]
  artifacts:
    - name: apps
      copy:
        - { from: "@repo/apps/prod/**", to: "@artifact/prod/" }
)"},
                                       {"clusters/a/apps.yaml", flux("apps", "./prod/web", "ExternalArtifact", "apps")},
                                       {"apps/prod/web/x.yaml", object("Service", "x")}});
    CHECK(dirs_of(made) == std::vector<std::string>{"apps/prod/web"});
}

TEST_CASE("a path is never joined above the root of the tree") {
    const BuiltFleet made = fleet_for({{"x.yaml", flux("a", "../apps")}, {"apps/x.yaml", object("Service", "x")}});
    CHECK(dirs_of(made) == std::vector<std::string>{"apps"});
}

TEST_CASE("a templated path of cloud-init leads to every folder that it may mean, and counts as proven") {
    const BuiltFleet made = fleet_for({{"infra/cloud-init.tftpl", R"(#cloud-config
write_files:
  - path: /var/lib/flux.yaml
    content: |
      apiVersion: source.toolkit.fluxcd.io/v1
      kind: GitRepository
      metadata: { name: acme, namespace: flux-system }
      spec: { url: "${repo_url}" }
      ---
      apiVersion: kustomize.toolkit.fluxcd.io/v1
      kind: Kustomization
      metadata: { name: kit, namespace: flux-system }
      spec:
        path: ./clusters/${fqdn}/kit
        sourceRef: { kind: GitRepository, name: acme }
)"},
                                       {"clusters/one/kit/kustomization.yaml", "resources: [a.yaml]\n"},
                                       {"clusters/one/kit/a.yaml", object("Service", "a")},
                                       {"clusters/two/kit/kustomization.yaml", "resources: [b.yaml]\n"},
                                       {"clusters/two/kit/b.yaml", object("Service", "b")}});
    CHECK(dirs_of(made) == std::vector<std::string>{"clusters/one/kit", "clusters/two/kit"});
    REQUIRE(made.find("Service", "b"));
    CHECK(made.fleet->certainty_of(*made.find("Service", "b")) == Certainty::proven);
}

TEST_CASE("the scope of a custom kind comes from its definition in the tree, that of others from the table") {
    const BuiltFleet made = fleet_for(
        {{"a/kustomization.yaml", "namespace: shop\nresources: [crd.yaml, w.yaml, i.yaml]\n"},
         {"a/crd.yaml", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: "
                        "wides.example.org }\nspec: { group: example.org, scope: Cluster, names: { kind: Wide } }\n"},
         {"a/w.yaml", "apiVersion: example.org/v1\nkind: Wide\nmetadata: { name: w }\n---\napiVersion: "
                      "other.org/v1\nkind: Other\nmetadata: { name: o }\n"},
         {"a/i.yaml", "apiVersion: cert-manager.io/v1\nkind: ClusterIssuer\nmetadata: { name: i }\n---\n"
                      "apiVersion: cert-manager.io/v1\nkind: Issuer\nmetadata: { name: j }\n"}});
    REQUIRE(made.find("Wide", "w"));
    CHECK(made.find("Wide", "w")->cluster_scoped);
    CHECK_FALSE(made.find("Other", "o")->scope_known);
    CHECK(made.find("ClusterIssuer", "i")->cluster_scoped);
    CHECK_FALSE(made.find("Issuer", "j")->cluster_scoped);
    CHECK(made.find("Issuer", "j")->scope_known);
}

TEST_CASE("a Flux Kustomization that the sync leaves out is not known to be applied, nor what it would build") {
    const BuiltFleet made = fleet_for({{"clusters/a/sync.yaml", flux("sync", "./clusters/a")},
                                       {"clusters/a/kustomization.yaml", "resources: [sync.yaml, apps.yaml]\n"},
                                       {"clusters/a/apps.yaml", flux("apps", "./apps")},
                                       {"apps/web.yaml", object("Service", "web")},
                                       {"clusters/a/off/ks.yaml", flux("off", "./off")},
                                       {"off/old.yaml", object("Service", "old")}});
    REQUIRE(made.find("Service", "web"));
    CHECK(made.fleet->certainty_of(*made.find("Service", "web")) == Certainty::proven);
    REQUIRE(made.find("Service", "old"));
    CHECK(made.fleet->certainty_of(*made.find("Service", "old")) == Certainty::possible);
    REQUIRE(root_called(made, "off"));
    CHECK(root_called(made, "off")->why == "nothing in this tree applies clusters/a/off");
}

TEST_CASE("the sync of bootstrap begins a cluster even where the list beside it does not build, or nothing lists it") {
    const std::string sync =
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: flux-system, "
        "namespace: flux-system }\nspec: { url: ssh://git@example.com/acme/fleet }\n---\n" +
        flux("flux-system", "./clusters/a");
    const std::string lists = "kind: Kustomization\nresources: [";
    for (const char* version : {"v1", "v1beta1"}) {
        const BuiltFleet made = fleet_for(
            {{"clusters/a/flux-system/gotk-sync.yaml", sync},
             {"clusters/a/flux-system/kustomization.yaml",
              std::string("apiVersion: kustomize.config.k8s.io/") + version + "\n" + lists + "gotk-sync.yaml]\n"},
             {"clusters/a/kustomization.yaml",
              "apiVersion: kustomize.config.k8s.io/v1beta1\n" + lists + "listed.yaml]\n"},
             {"clusters/a/listed.yaml", flux("listed", "./apps")},
             {"clusters/a/forgotten.yaml", flux("forgotten", "./other")},
             {"apps/one.yaml", object("ConfigMap", "one")},
             {"other/two.yaml", object("ConfigMap", "two")}});
        REQUIRE(root_called(made, "listed"));
        CHECK(root_called(made, "listed")->certainty == Certainty::proven);
        const Root* forgotten = root_called(made, "forgotten");
        CHECK((!forgotten || forgotten->certainty != Certainty::proven));
    }
}

TEST_CASE("documents with braces are the index' objects, wherever the file is cut at its separators") {
    const std::string braces = "data: { a: \"{{ .b }}\" }\n";
    for (const char* start : {"", "---\n", "# one\n---\n", "--- # one\n"}) {
        const BuiltFleet made = fleet_for(
            {{"clusters/a/flux-system/gotk-sync.yaml", flux("flux-system", "./clusters/a")},
             {"clusters/a/both.yaml", std::string(start) + object("ConfigMap", "one") + braces + "---\n" +
                                          object("ConfigMap", "two") + braces + "---\n" + object("Secret", "three")}});
        std::vector<std::string> found;
        for (const Instance& one : made.fleet->instances)
            if (one.id().kind != "Kustomization") {
                REQUIRE(one.object != no_entity);
                CHECK(made.built.index.objects[one.object].name.text == one.id().name);
                found.emplace_back(one.id().name);
            }
        CHECK(found.size() == 3);
    }
}

TEST_CASE("without any sync in the tree, whatever is topmost is what a cluster begins with") {
    const BuiltFleet made =
        fleet_for({{"bootstrap/ks.yaml", flux("apps", "./apps")}, {"apps/web.yaml", object("Service", "web")}});
    REQUIRE(made.find("Service", "web"));
    CHECK(made.fleet->certainty_of(*made.find("Service", "web")) == Certainty::proven);
}

TEST_CASE("what is not here is a gap with its reason") {
    const BuiltFleet made = fleet_for(
        {{"a/kustomization.yaml", "resources: ['https://example.org/x.yaml', c.yaml]\nhelmCharts: [{ name: redis }]\n"
                                  "generators: [g.yaml]\n"},
         {"a/c.yaml", object("ConfigMap", "c")},
         {"a/g.yaml", "apiVersion: example.org/v1\nkind: Maker\nmetadata: { name: g, annotations: "
                      "{ config.kubernetes.io/function: \"exec: { path: ./make }\" } }\n"},
         {"ks.yaml", flux("lost", "./nowhere") + "---\n" + flux("apps", "./a")}});
    REQUIRE(root_called(made, "lost"));
    CHECK(has_gap(*root_called(made, "lost"), Gap::Why::missing));
    REQUIRE(root_called(made, "apps"));
    for (Gap::Why why : {Gap::Why::remote, Gap::Why::chart, Gap::Why::plugin})
        CHECK(has_gap(*root_called(made, "apps"), why));
    CHECK(made.find("ConfigMap", "c"));
}

TEST_CASE("kustomizations that include themselves are told with both ends, and the rest is built") {
    const BuiltFleet made = fleet_for({{"self/kustomization.yaml", "resources: [../self, a.yaml]\n"},
                                       {"self/a.yaml", object("Service", "s")},
                                       {"x/kustomization.yaml", "resources: [../y]\n"},
                                       {"y/kustomization.yaml", "resources: [../x, b.yaml]\n"},
                                       {"y/b.yaml", object("Service", "b")}});
    std::vector<std::string> entries;
    for (const Root& root : made.fleet->roots)
        for (const BuildError& error : root.errors)
            if (error.kind == BuildError::Kind::cycle) entries.push_back(made.built.text_at(error.place));
    std::sort(entries.begin(), entries.end());
    CHECK(entries == std::vector<std::string>{"../self", "../x"});
    CHECK(made.find("Service", "s"));
    CHECK(made.find("Service", "b"));
}

TEST_CASE("kustomizations that include one another in very many ways end soon") {
    Files doubling, twice, each_other, layers;
    for (int i = 0; i < 40; ++i) { // each includes the next through two others
        const std::string n = std::to_string(100 + i), next = std::to_string(101 + i);
        for (const char* side : {"l", "r"})
            doubling.emplace_back("z" + n + side + "/kustomization.yaml", "resources: [../z" + next + "m]\n");
        doubling.emplace_back("z" + n + "m/kustomization.yaml", "resources: [../z" + n + "l, ../z" + n + "r]\n");
        twice.emplace_back("z" + n + "/kustomization.yaml", "resources: [../z" + next + ", ../z" + next + "]\n");
    }
    for (int i = 0; i < 60; ++i) {
        std::string all = "resources:\n";
        for (int other = 0; other < 60; ++other)
            all += "- ../z" + std::to_string(other) + "\n";
        each_other.emplace_back("z" + std::to_string(i) + "/kustomization.yaml", all);
    }
    for (int i = 0; i < 90; ++i) { // every layer moves all that is below it
        const std::string next = i < 89 ? "../z" + std::to_string(i + 1) : "a.yaml";
        layers.emplace_back("z" + std::to_string(i) + "/kustomization.yaml",
                            "namespace: shop\nresources: [" + next + "]\n");
    }
    std::string objects;
    for (int i = 0; i < 1000; ++i)
        objects += "---\n" + object("Service", "s" + std::to_string(i));
    layers.emplace_back("z89/a.yaml", objects);
    for (Files* files : {&doubling, &twice, &each_other, &layers}) {
        const auto start = std::chrono::steady_clock::now();
        const BuiltFleet made = fleet_for(build_tree(sorted_tree(std::move(*files))));
        const auto spent = std::chrono::steady_clock::now() - start;
        CHECK(std::chrono::duration_cast<std::chrono::milliseconds>(spent).count() < 20'000); // busy machines
        CHECK(made.fleet->roots.empty() == made.fleet->beyond_limit); // all of it, or that it is too much
    }
}

TEST_CASE("more than the limit allows is told, and nothing is made of it") {
    Files files;
    std::string objects;
    for (int i = 0; i < 300; ++i)
        objects += "---\n" + object("Service", "s" + std::to_string(i));
    files.emplace_back("a/all.yaml", objects);
    files.emplace_back("a/kustomization.yaml", "resources: [all.yaml]\n");
    Built built = build_tree(sorted_tree(std::move(files)));
    ParsedFiles parsed(*built.tree, YamlLimits{});
    Fleet::Input input{*built.tree, built.index, parsed};
    input.most = 100;
    const Fleet fleet(input);
    CHECK(fleet.beyond_limit);
    CHECK(fleet.roots.empty());
    CHECK(fleet.instances.empty());
}

namespace {

std::string oci_sync(const std::string& path) {
    return "apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: { name: flux-system, namespace: "
           "flux-system }\nspec: { url: oci://r.example.org/fleet }\n---\n" +
           flux("flux-system", path, "OCIRepository");
}

} // namespace

TEST_CASE("the root of an artifact is the folder that a script pushes") {
    const std::string push = "jobs: { a: { steps: [{ run: flux push artifact oci://r.example.org/fleet:v1 "
                             "--path=deploy }] } }\n";
    const BuiltFleet made = fleet_for({{"deploy/sync.yaml", oci_sync("./")},
                                       {"deploy/apps.yaml", flux("apps", "./apps", "OCIRepository")},
                                       {"deploy/apps/x.yaml", object("Service", "x")},
                                       {".github/workflows/push.yaml", push}});
    CHECK(dirs_of(made) == std::vector<std::string>{"deploy", "deploy/apps"});
    CHECK(root_called(made, "apps")->certainty == Certainty::proven);
}

TEST_CASE("an artifact that nothing here pushes proves nothing, unless its users name folders from the root") {
    const BuiltFleet unknown =
        fleet_for({{"a/flux-system/sync.yaml", oci_sync("./")}, {"x.yaml", object("Service", "x")}});
    REQUIRE(root_called(unknown, "flux-system"));
    CHECK(root_called(unknown, "flux-system")->certainty == Certainty::possible);
    CHECK(unknown.names().empty());
    CHECK(unknown.find("Service", "x") == nullptr);
    const BuiltFleet named =
        fleet_for({{"a/flux-system/sync.yaml", oci_sync("./a")}, {"a/x.yaml", object("Service", "x")}});
    CHECK(root_called(named, "flux-system")->certainty == Certainty::proven);
    CHECK(named.find("Service", "x") != nullptr);
}

#include "build_in_memory.h"
#include "index/closure.h"
#include <algorithm>
#include <chrono>
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

std::string object(std::string kind, std::string name, std::string ns = {}, std::string api = "v1") {
    return "apiVersion: " + api + "\nkind: " + kind + "\nmetadata:\n  name: " + name + "\n" +
           (ns.empty() ? "" : "  namespace: " + ns + "\n");
}

std::string flux(std::string name, std::string path, std::string more = {}) {
    return "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: " + name +
           "\n  namespace: flux-system\nspec:\n  path: " + path +
           "\n  sourceRef: { kind: GitRepository, name: flux-system }\n" + more;
}

// `root: Kind namespace/name`, sorted; `?` behind what is not sure.
std::vector<std::string> seen(const Built& built, const Closure& closure) {
    std::vector<std::string> lines;
    for (const Applied& applied : closure.applied) {
        const ClosureRoot& root = closure.roots[applied.root];
        std::string by = root.dir;
        if (root.flux != no_entity)
            by = built.index.objects[built.index.flux_kustomizations[root.flux].object].name.text;
        lines.push_back(by + ": " + std::string(kind_of(built.index, applied)) + " " + applied.ns.text + "/" +
                        applied.name.text + (applied.sure ? "" : "?"));
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

using Lines = std::vector<std::string>;

bool has_gap(const ClosureRoot& root, ClosureGap::Why why) {
    return std::any_of(root.gaps.begin(), root.gaps.end(), [&](const ClosureGap& gap) { return gap.why == why; });
}

} // namespace

TEST_CASE("an outer namespace wins and names a Namespace, cluster-scoped kinds keep none, prefixes add up") {
    Built built =
        build({{"base/kustomization.yaml", "namespace: inner\nnamePrefix: a-\nresources: [all.yaml]\n"},
               {"base/all.yaml", object("Service", "web", "own") + "---\n" + object("Namespace", "shop") + "---\n" +
                                     object("ClusterRole", "r", "", "rbac.authorization.k8s.io/v1")},
               {"over/kustomization.yaml", "namespace: outer\nnamePrefix: b-\nnameSuffix: -z\n"
                                           "resources: [../base]\n"}});
    const Closure closure = build_closure(built.index);
    CHECK(seen(built, closure) ==
          Lines{"over: ClusterRole /b-a-r-z", "over: Namespace /outer", "over: Service outer/b-a-web-z"});
    REQUIRE(closure.roots.size() == 1); // the base is no root: somebody includes it
    CHECK(closure.roots[0].complete());
    const Applied& service = closure.applied[0];
    CHECK(built.text_at(service.ns.place) == "outer");
    CHECK(built.text_at(service.name.place) == "web");
    CHECK(chain_of(closure, service.step).size() == 2);
    CHECK(built.text_at(service.entry) == "all.yaml");
    CHECK(built.text_at(closure.steps[service.step].entry) == "../base");
}

TEST_CASE("a component's directives reach what stands before it") {
    Built built = build(
        {{"app/kustomization.yaml", "resources: [a.yaml]\ncomponents: [../part]\nconfigMapGenerator: [{name: late}]\n"},
         {"app/a.yaml", object("Service", "web")},
         {"part/kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
                                     "namespace: shop\nresources: [b.yaml]\n"},
         {"part/b.yaml", object("Secret", "s")},
         {"unused/kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
                                       "resources: [b.yaml]\n"},
         {"unused/b.yaml", object("Secret", "never")}});
    CHECK(seen(built, build_closure(built.index)) ==
          Lines{"app: ConfigMap /late", "app: Secret shop/s", "app: Service shop/web"});
}

TEST_CASE("Flux writes targetNamespace, prefix and components over the kustomization") {
    Built built = build(
        {{"ks.yaml", flux("apps", "./apps", "  targetNamespace: prod\n  namePrefix: p-\n  components: [../part]\n")},
         {"apps/kustomization.yaml", "namespace: dev\nnamePrefix: d-\nresources: [a.yaml]\n"},
         {"apps/a.yaml", object("Service", "web")},
         {"part/kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
                                     "resources: [b.yaml]\n"},
         {"part/b.yaml", object("Secret", "s")}});
    const Closure closure = build_closure(built.index);
    CHECK(seen(built, closure) == Lines{"apps: Secret prod/p-s", "apps: Service prod/p-web"});
    REQUIRE(closure.by_flux.size() == 1);
    const ClosureRoot& root = closure.roots[closure.by_flux.at(0).front()];
    CHECK(root.sure);
    CHECK(root.complete());
    CHECK(root.count == 2);
}

TEST_CASE("a folder without kustomization gives every manifest below, and kustomizations below as a whole") {
    Built built = build({{"ks.yaml", flux("apps", "./apps")},
                         {"apps/a.yaml", object("Service", "a")},
                         {"apps/deep/down/b.yml", object("Service", "b")},
                         {"apps/kept/kustomization.yaml", "namespace: kept\nresources: [sub/c.yaml]\n"},
                         {"apps/kept/sub/c.yaml", object("Service", "c")},
                         {"apps/kept/sub/unlisted.yaml", object("Service", "no")},
                         {"apps/kept-too/d.yaml", object("Service", "d")},
                         {"apps/readme.md", "# a\n"},
                         {"apps-other/e.yaml", object("Service", "e")}});
    CHECK(seen(built, build_closure(built.index)) ==
          Lines{"apps: Service /a", "apps: Service /b", "apps: Service /d", "apps: Service kept/c"});
}

TEST_CASE("generators make objects under their name before the hash, merging ones do not") {
    Built built = build({{"a/kustomization.yaml", "namespace: n\nnamePrefix: x-\nconfigMapGenerator:\n"
                                                  "  - {name: c, literals: [a=b]}\n  - {name: d, behavior: merge}\n"
                                                  "secretGenerator:\n  - {name: s, namespace: other}\n"}});
    const Closure closure = build_closure(built.index);
    CHECK(seen(built, closure) == Lines{"a: ConfigMap n/x-c", "a: Secret n/x-s"});
    CHECK(closure.applied[0].object == no_entity);
    CHECK(closure.applied[0].generator == 0);
}

TEST_CASE("a delete patch takes away what it names, by file, by text and by target") {
    const std::string gone = "$patch: delete\n" + object("Service", "a");
    Built built = build({{"over/kustomization.yaml", "resources: [../base]\npatches:\n  - path: gone.yaml\n"
                                                     "  - target: { kind: Secret, name: b }\n    patch: |\n"
                                                     "      $patch: delete\n      apiVersion: v1\n      kind: Secret\n"
                                                     "      metadata: { name: any }\n"},
                         {"over/gone.yaml", gone},
                         {"base/kustomization.yaml", "resources: [all.yaml]\n"},
                         {"base/all.yaml",
                          object("Service", "a") + "---\n" + object("Secret", "b") + "---\n" + object("Secret", "c")}});
    const Closure closure = build_closure(built.index);
    CHECK(seen(built, closure) == Lines{"over: Secret /c"});
    REQUIRE(closure.removed.size() == 2);
    CHECK(built.text_at(closure.removed[0].patch) == "gone.yaml");
}

TEST_CASE("a patch by expression or on metadata.name makes what it may reach unsure, a Flux patch works too") {
    Built built = build(
        {{"ks.yaml", flux("apps", "./apps",
                          "  patches:\n    - target: { kind: Service, name: '(a|b)' }\n"
                          "      patch: |\n        $patch: delete\n        kind: Service\n"
                          "        metadata: { name: x }\n")},
         {"apps/kustomization.yaml", "resources: [a.yaml]\npatches:\n  - target: { kind: Secret }\n    patch: |-\n"
                                     "      - op: replace\n        path: /metadata/namespace\n        value: z\n"},
         {"apps/a.yaml", object("Service", "a") + "---\n" + object("Secret", "s") + "---\n" + object("Pod", "p")}});
    CHECK(seen(built, build_closure(built.index)) == Lines{"apps: Pod /p", "apps: Secret /s?", "apps: Service /a?"});
}

TEST_CASE("custom kinds take their scope from a CRD of the tree, else it is not known") {
    Built built =
        build({{"a/kustomization.yaml", "namespace: n\nresources: [x.yaml]\n"},
               {"a/x.yaml", object("Wide", "w", "", "acme.io/v1") + "---\n" + object("Other", "o", "", "acme.io/v1")},
               {"crd.yaml", object("CustomResourceDefinition", "wides.acme.io", "", "apiextensions.k8s.io/v1") +
                                "spec: { group: acme.io, scope: Cluster, names: { kind: Wide } }\n"}});
    const Closure closure = build_closure(built.index);
    CHECK(seen(built, closure) == Lines{"a: Other n/o", "a: Wide /w"});
    CHECK(closure.applied[0].cluster_scoped);
    CHECK_FALSE(closure.applied[1].scope_known);
}

TEST_CASE("templated names and namespaces stay templated") {
    Built built = build({{"a/kustomization.yaml", "namespace: ${NS}\nresources: [x.yaml]\n"},
                         {"a/x.yaml", object("Service", "web-${ENV}")}});
    const Closure closure = build_closure(built.index);
    REQUIRE(closure.applied.size() == 1);
    CHECK(closure.applied[0].ns.state == State::templated);
    CHECK(closure.applied[0].name.state == State::templated);
    CHECK(find_applied(closure, "Service", "", "web-${ENV}").empty());
}

TEST_CASE("what is not here makes a root incomplete and says why") {
    Built built = build({{"a/kustomization.yaml", "resources: ['https://example.org/x.yaml', lost.yaml, enc.yaml]\n"
                                                  "helmCharts: [{ name: redis }]\ngenerators: [g.yaml]\n"},
                         {"a/enc.yaml", "data: ENC[x]\n"},
                         {"ks.yaml", flux("apps", "./nowhere") + "---\n" +
                                         "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
                                         "metadata: { name: far }\nspec: { path: ./a, sourceRef: "
                                         "{ kind: GitRepository, name: far } }\n---\n"
                                         "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n"
                                         "metadata: { name: far }\nspec: { url: https://example.org/far }\n---\n"
                                         "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n"
                                         "metadata: { name: flux-system }\nspec: { url: https://example.org/own }\n"}});
    const Closure closure = build_closure(built.index);
    REQUIRE(closure.roots.size() == 3);
    CHECK(has_gap(closure.roots[0], ClosureGap::Why::missing));
    CHECK(has_gap(closure.roots[1], ClosureGap::Why::remote)); // its source is another repository
    CHECK_FALSE(closure.roots[1].sure);
    for (ClosureGap::Why why : {ClosureGap::Why::remote, ClosureGap::Why::missing, ClosureGap::Why::unread,
                                ClosureGap::Why::helm, ClosureGap::Why::plugin})
        CHECK(has_gap(closure.roots[2], why));
}

TEST_CASE("one base, two clusters: two instances, two tops; a shared Flux Kustomization has both above it") {
    Built built = build({{"clusters/a/ks.yaml", flux("one", "./apps")},
                         {"clusters/a/kustomization.yaml", "resources: [ks.yaml, ../../shared]\n"},
                         {"clusters/b/ks.yaml", flux("two", "./apps", "  targetNamespace: b\n")},
                         {"clusters/b/kustomization.yaml", "resources: [ks.yaml, ../../shared]\n"},
                         {"shared/kustomization.yaml", "resources: [ks.yaml]\n"},
                         {"shared/ks.yaml", flux("infra", "./infra")},
                         {"infra/c.yaml", object("ConfigMap", "c")},
                         {"apps/kustomization.yaml", "resources: [a.yaml]\n"},
                         {"apps/a.yaml", object("Service", "web", "own")}});
    const Closure closure = build_closure(built.index);
    const std::vector<std::uint32_t> found = find_applied(closure, "Service", "", "web");
    REQUIRE(found.size() == 2);
    CHECK(find_applied(closure, "Service", "b", "web").size() == 1);
    const auto tops = tops_of(closure);
    const auto& one = tops[closure.applied[found[0]].root];
    const auto& two = tops[closure.applied[found[1]].root];
    REQUIRE(one.size() == 1);
    REQUIRE(two.size() == 1);
    CHECK(one != two);
    const auto shared = find_applied(closure, "ConfigMap", "", "c");
    REQUIRE(shared.size() == 1);
    CHECK(tops[closure.applied[shared[0]].root].size() == 2);
    const EntityId web = closure.applied[found[0]].object;
    CHECK(namespaces_of(built.index, closure, web).size() == 2);
}

TEST_CASE("flux-system applies itself and is still a top") {
    Built built = build({{"clusters/a/flux-system/gotk-sync.yaml", flux("flux-system", "./clusters/a")},
                         {"clusters/a/flux-system/kustomization.yaml", "resources: [gotk-sync.yaml]\n"},
                         {"clusters/a/apps.yaml", flux("apps", "./apps")},
                         {"apps/a.yaml", object("Service", "web")}});
    const Closure closure = build_closure(built.index);
    CHECK(seen(built, closure) == Lines{"apps: Service /web", "flux-system: Kustomization flux-system/apps",
                                        "flux-system: Kustomization flux-system/flux-system"});
    const auto tops = tops_of(closure);
    REQUIRE(tops.size() == 2);
    CHECK(tops[0] == tops[1]);
    CHECK(tops[0].size() == 1);
}

TEST_CASE("a patch on a Flux Kustomization's path makes its root unsure; a patch document is no root") {
    Built built = build({{"clusters/a/kustomization.yaml", "resources: [../base]\npatches: [{ path: p.yaml }]\n"},
                         {"clusters/a/p.yaml", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
                                               "metadata: { name: apps }\nspec: { path: ./apps/a }\n"},
                         {"clusters/base/kustomization.yaml", "resources: [ks.yaml]\n"},
                         {"clusters/base/ks.yaml", flux("apps", "./apps")},
                         {"apps/a/x.yaml", object("Service", "web")}});
    const Closure closure = build_closure(built.index);
    REQUIRE(closure.by_flux.size() == 1);
    CHECK_FALSE(closure.roots[closure.by_flux.begin()->second.front()].sure);
}

TEST_CASE("cycles are followed once and told") {
    Built built = build({{"self/kustomization.yaml", "resources: [../self, a.yaml]\n"},
                         {"self/a.yaml", object("Service", "s")},
                         {"x/kustomization.yaml", "resources: [../y]\n"},
                         {"y/kustomization.yaml", "resources: [../x, b.yaml]\n"},
                         {"y/b.yaml", object("Service", "b")}});
    const Closure closure = build_closure(built.index);
    CHECK(seen(built, closure) == Lines{"self: Service /s", "x: Service /b"});
    REQUIRE(closure.cycles.size() == 2);
    CHECK(built.text_at(closure.cycles[0].entry) == "../self");
    CHECK(built.text_at(closure.cycles[1].entry) == "../x");
    CHECK(has_gap(closure.roots[0], ClosureGap::Why::cycle));
}

namespace {

Tree sorted_tree(std::vector<std::pair<std::string, std::string>> files) {
    Tree tree;
    std::sort(files.begin(), files.end());
    for (auto& [path, text] : files)
        tree.files.push_back({path, std::move(text), 0, FileState::read});
    return tree;
}

Closure closure_in_time(const Index& index, std::size_t most) {
    const auto start = std::chrono::steady_clock::now();
    Closure closure = build_closure(index, most);
    const auto spent = std::chrono::steady_clock::now() - start;
    CHECK(std::chrono::duration_cast<std::chrono::milliseconds>(spent).count() < 20'000); // busy machines
    return closure;
}

} // namespace

TEST_CASE("a chain of 5000 kustomizations is followed to its end") {
    std::vector<std::pair<std::string, std::string>> files;
    for (int i = 0; i < 5000; ++i) {
        const std::string dir = "k" + std::to_string(10000 + i);
        const std::string next = i < 4999 ? "../k" + std::to_string(10001 + i) : "../k10000";
        files.emplace_back(dir + "/a.yaml", object("Service", "s" + std::to_string(i)));
        files.emplace_back(dir + "/kustomization.yaml",
                           "resources: [a.yaml, " + next + "]\n" + (i % 1000 == 0 ? "namespace: n\n" : ""));
    }
    const Built built = build_tree(sorted_tree(std::move(files)));
    const Closure closure = closure_in_time(built.index, 20'000);
    CHECK_FALSE(closure.truncated);
    CHECK(closure.applied.size() == 5000);
    CHECK(closure.cycles.size() == 1);
}

TEST_CASE("kustomizations that include one another in too many ways end soon, and nothing is made of them") {
    std::vector<std::pair<std::string, std::string>> doubling, twice, each_other, layers;
    for (int i = 0; i < 40; ++i) { // each includes the next through two others
        const std::string n = std::to_string(100 + i), next = std::to_string(101 + i);
        for (const char* side : {"l", "r"})
            doubling.emplace_back("z" + n + side + "/kustomization.yaml", "resources: [../z" + next + "m]\n");
        doubling.emplace_back("z" + n + "m/kustomization.yaml", "resources: [../z" + n + "l, ../z" + n + "r]\n");
        twice.emplace_back("z" + n + "/kustomization.yaml", "resources: [../z" + next + ", ../z" + next + "]\n");
    }
    for (int i = 0; i < 300; ++i) {
        std::string all = "resources:\n";
        for (int other = 0; other < 300; ++other)
            all += "- ../z" + std::to_string(other) + "\n";
        each_other.emplace_back("z" + std::to_string(i) + "/kustomization.yaml", all);
    }
    for (int i = 0; i < 3000; ++i) { // every layer moves all that is below it
        const std::string next = i < 2999 ? "../z" + std::to_string(i + 1) : "a.yaml";
        layers.emplace_back("z" + std::to_string(i) + "/kustomization.yaml",
                            "namespace: n\nresources: [" + next + "]\n");
    }
    std::string objects;
    for (int i = 0; i < 9000; ++i)
        objects += "---\n" + object("Service", "s" + std::to_string(i));
    layers.emplace_back("z2999/a.yaml", objects);
    for (auto* files : {&doubling, &twice, &each_other, &layers}) {
        const Built built = build_tree(sorted_tree(std::move(*files)));
        const Closure closure = closure_in_time(built.index, 100'000);
        CHECK(closure.truncated);
        CHECK(closure.truncated_at.file < built.tree->files.size());
        CHECK(closure.roots.empty());
        CHECK(closure.applied.empty());
    }
}

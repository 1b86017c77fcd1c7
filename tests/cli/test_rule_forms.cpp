// The forms of the rule language beyond facts, joins and asserts: what is applied, references, reasons not to judge,
// groups, and the small words that rules are made shorter with.
#include "memory_run.h"

using namespace lockstep;
using Lines = std::vector<std::string>;

namespace {

const std::string flux_sync =
    "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n"
    "metadata: {name: flux-system, namespace: flux-system}\n"
    "spec: {interval: 1m, url: \"https://git.example.com/acme/fleet\", ref: {branch: main}}\n---\n"
    "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
    "metadata: {name: flux-system, namespace: flux-system}\n"
    "spec:\n  interval: 10m\n  path: ./apps\n"
    "  sourceRef: {kind: GitRepository, name: flux-system}\n";
const std::string deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n"
                               "spec:\n  replicas: 1\n";

std::string replicas_patched_to(const std::string& count) {
    return "resources: [web.yaml]\npatches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n"
           "    metadata: {name: web, namespace: shop}\n    spec: {replicas: " +
           count + "}\n";
}

const std::string one_replica = "facts:\n  web:\n    applied: Deployment.apps\n    yaml: { replicas: spec.replicas }\n"
                                "for: web\nforbid: web.replicas == 1\n"
                                "message: \"{web.name} has {web.replicas} in {web.cluster}\"\nat: web.replicas\n";

// Facts over `x.yaml`, a list of mappings.
const std::string items = "facts:\n  item: { files: x.yaml, each: \"items[*]\", yaml: { name: name, team?: team, "
                          "port?: port } }\nfor: item\n";

std::string error_of(const std::string& body) {
    auto run = lint_tree(tree_in_memory({}), {}, {{"probe.yaml", "rule: probe\n" + rule_head + body}}, {});
    return run ? std::string() : to_string(run.error());
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("applied: a row is an object as a cluster gets it, after patches") {
    const auto run = run_rule({{"apps/web.yaml", deployment},
                               {"apps/kustomization.yaml", replicas_patched_to("3")},
                               {"flux-system/gotk-sync.yaml", flux_sync}},
                              one_replica);
    CHECK(run.lines().empty());
    CHECK(run.count(Verdict::pass) == 1);
    const auto patched = run_rule({{"apps/web.yaml", "apiVersion: apps/v1\nkind: Deployment\n"
                                                     "metadata: {name: web, namespace: shop}\nspec: {replicas: 3}\n"},
                                   {"apps/kustomization.yaml", replicas_patched_to("1")},
                                   {"flux-system/gotk-sync.yaml", flux_sync}},
                                  one_replica);
    CHECK(patched.lines().size() == 1);
}

TEST_CASE("applied: what no cluster gets is a note at most, whatever the rule says") {
    const auto run = run_rule({{"apps/kustomization.yaml", "resources: []\n"},
                               {"elsewhere/web.yaml", deployment},
                               {"flux-system/gotk-sync.yaml", flux_sync}},
                              one_replica);
    for (const std::string& line : run.lines())
        CHECK(holds(line, ": note: "));
}

TEST_CASE("applied in base: what clusters got before the change, for a rule that runs with a base alone") {
    const std::string body = "facts:\n  now: { applied: Deployment.apps, yaml: { replicas: spec.replicas } }\n"
                             "  before: { applied: Deployment.apps, in: base, yaml: { replicas: spec.replicas } }\n"
                             "for: now\njoin: { before: [namespace, name] }\nassert: now.replicas == before.replicas\n"
                             "message: \"{before.replicas} became {now.replicas}\"\nat: now.replicas\n";
    const auto tree = [](const std::string& count) {
        return tree_in_memory({{"apps/kustomization.yaml", replicas_patched_to(count)},
                               {"apps/web.yaml", deployment},
                               {"flux-system/gotk-sync.yaml", flux_sync}});
    };
    CHECK(run_rule({{"apps/web.yaml", deployment}}, body).outcome().why_not == "needs a base revision (--base)");
    LintRequest request;
    request.base = [&](const Config&) { return Result<Tree>(tree("2")); };
    std::vector<RuleFile> rules{{"probe.yaml", "rule: probe\n" + rule_head + body}};
    auto run = lint_tree(tree("3"), {}, rules, request);
    REQUIRE_MESSAGE(run, to_string(run.error()));
    const MemoryRun made{std::move(*run), "probe"};
    REQUIRE(made.lines().size() == 1);
    CHECK(holds(made.lines().front(), "2 became 3"));
    CHECK(holds(error_of("facts:\n  a: { resources: Pod, in: base }\nfor: a\nforbid: a\nmessage: m\n"),
                "`in: base` goes with `applied`"));
}

TEST_CASE("references: a row is a reference as clusters resolve it") {
    const std::string body =
        "facts:\n  ref: { references: depends-on }\nfor: ref\n"
        "undecided: [{ when: ref.resolved == \"possible\", why: \"{ref.why}\" }]\n"
        "forbid: ref.resolved == \"missing\"\nmessage: \"{ref.from} waits for {ref.name}\"\nat: ref\n";
    const std::string waits = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
                              "metadata: {name: web, namespace: flux-system}\nspec:\n  interval: 10m\n  path: ./web\n"
                              "  sourceRef: {kind: GitRepository, name: flux-system}\n  dependsOn: [{name: ";
    const auto run = run_rule({{"apps/kustomization.yaml", "resources: [web.yaml]\n"},
                               {"apps/web.yaml", waits + "databse}]\n"},
                               {"flux-system/gotk-sync.yaml", flux_sync},
                               {"web/kustomization.yaml", "resources: []\n"}},
                              body);
    CHECK(run.lines() == Lines{"apps/web.yaml:8: error: Kustomization web waits for databse"});
    const auto here = run_rule({{"apps/kustomization.yaml", "resources: [web.yaml]\n"},
                                {"apps/web.yaml", waits + "flux-system}]\n"},
                                {"flux-system/gotk-sync.yaml", flux_sync},
                                {"web/kustomization.yaml", "resources: []\n"}},
                               body);
    CHECK(here.lines().empty());
    CHECK(here.count(Verdict::pass) == 1);
    CHECK(holds(error_of("facts:\n  a: { references: depend-on }\nfor: a\nforbid: a\nmessage: m\n"),
                "probe.yaml:7:20: error: there are no references `depend-on`\n  hint: did you mean `depends-on`?"));
}

TEST_CASE("undecided: the first reason that holds counts, before the cases") {
    const std::string body = items + "undecided:\n  - { when: item.team absent, why: \"nobody owns {item.name}\" }\n"
                                     "forbid: item.port == 80\nmessage: m\nat: item.port\n";
    const auto run = run_rule({{"x.yaml", "items: [{name: a, port: 80}, {name: b, team: t, port: 80}]\n"}}, body);
    CHECK(run.lines().size() == 1);
    REQUIRE(run.count(Verdict::undecided) == 1);
    CHECK(run.outcome().subjects.front().why == "nobody owns a");
    CHECK(holds(error_of(items + "undecided: { when: item.team absent }\nforbid: item\nmessage: m\n"),
                "`undecided` must be a list"));
    CHECK(holds(error_of(items + "undecided: [{ when: item.team absent }]\nforbid: item\nmessage: m\n"),
                "needs `when` and `why`"));
}

TEST_CASE("group: findings with equal values are one; a whole group is one whatever it says") {
    const std::string list = "items: [{name: a, team: t, port: 80}, {name: b, team: t, port: 81}, {name: c, team: u, "
                             "port: 80}]\n";
    const std::string body = items + "forbid: item.port exists\nmessage: \"{item.name}\"\nat: item.port\n";
    CHECK(run_rule({{"x.yaml", list}}, body).lines().size() == 3);
    const auto by = run_rule({{"x.yaml", list}}, body + "group: { by: item.team }\n");
    CHECK(by.lines().size() == 2);
    CHECK_FALSE(by.first().related.empty());
    const std::string two = items + "cases:\n  - { when: item.port == 81, forbid: item }\n"
                                    "  - { forbid: item, severity: note }\nmessage: \"{item.name}\"\nat: item.port\n";
    const auto whole = run_rule({{"x.yaml", list}}, two + "group: { by: item.team, whole: true }\n");
    REQUIRE(whole.lines().size() == 2);
    CHECK(holds(whole.lines().front(), "error: b")); // the worst first
    CHECK(whole.first().key == "probe:t");
    CHECK(holds(error_of(body + "group: { of: item.team }\n"), "unknown key `of`"));
}

TEST_CASE("group: majority finds the rows that differ from most of their group") {
    const std::string body = items + "group: { by: item.team, majority: item.port }\n"
                                     "message: \"{item.name} has {item.port}, others {majority.port}\"\n"
                                     "at: item.port\nalso: [{ at: majority.port, says: \"as here\" }]\n";
    const auto run = run_rule({{"x.yaml", "items:\n- {name: a, team: t, port: 80}\n- {name: b, team: t, port: 80}\n"
                                          "- {name: c, team: t, port: 8080}\n- {name: d, team: u, port: 1}\n"
                                          "- {name: e, team: u, port: 2}\n"}},
                              body);
    CHECK(run.lines() == Lines{"x.yaml:4: error: c has 8080, others 80"});
    CHECK(run.first().related.size() == 1);
    CHECK(run.count(Verdict::undecided) == 2); // one against one
    CHECK(run.count(Verdict::pass) == 2);
    CHECK(holds(error_of(items + "group: { by: item.team, majority: port }\nmessage: m\n"),
                "majority names a field of the fact that is checked"));
    CHECK(holds(error_of(body + "forbid: item\n"), "is what must hold"));
}

TEST_CASE("any: one of several conditions; not in: the other side of in") {
    const auto found = [](const std::string& condition) {
        const auto run = run_rule({{"x.yaml", "items: [{name: a, team: t}, {name: b, port: 80}, {name: c}]\n"}},
                                  items + condition + "message: \"{item.name}\"\nat: item.name\n");
        std::string names;
        for (const std::string& line : run.lines())
            names += line.back();
        return names;
    };
    CHECK(found("forbid: { any: [item.team exists, item.port exists] }\n") == "ab");
    CHECK(found("forbid: [{ any: [item.team exists, [item.port == 80, item.name != \"b\"]] }]\n") == "a");
    CHECK(found("forbid: 'item.name not in [\"a\", \"b\"]'\n") == "c");
    CHECK(holds(error_of(items + "forbid: { any: [item.team exists] }\nmessage: m\n"), "one of which must hold"));
    CHECK(holds(error_of(items + "forbid: { or: [item.team exists] }\nmessage: m\n"), "unknown key `or`"));
}

TEST_CASE("count: how many rows are joined, and one finding for all of them") {
    const std::string body = "facts:\n  host: { files: \"{area}/host.yaml\", yaml: { name: name } }\n"
                             "  route: { files: \"{area}/route-*.yaml\", yaml: { host: host } }\n"
                             "for: host\njoin: { route: { host: name } }\nforbid: count(route) >= 2\n"
                             "message: \"{host.name} is routed more than once\"\nat: host.name\n";
    const auto run = run_rule({{"a/host.yaml", "name: x\n"},
                               {"a/route-1.yaml", "host: x\n"},
                               {"a/route-2.yaml", "host: x\n"},
                               {"b/host.yaml", "name: y\n"},
                               {"b/route-1.yaml", "host: y\n"},
                               {"c/host.yaml", "name: z\n"}},
                              body);
    CHECK(run.lines() == Lines{"a/host.yaml:1: error: x is routed more than once"});
    CHECK(run.first().related.size() == 2);
    CHECK(run.count(Verdict::pass) == 2); // one, and none at all
    CHECK(holds(error_of("facts:\n  a: { files: x }\nfor: a\nforbid: count(a) == \"two\"\nmessage: m\n"),
                "is compared with a number"));
    CHECK(holds(error_of("facts:\n  a: { files: x }\nfor: a\nforbid: count(b) == 2\nmessage: m\n"), "names no fact"));
}

TEST_CASE("join: a text with fields in it, and hosts with wildcards") {
    const std::string body = "facts:\n  record: { files: r.yaml, yaml: { label: label, zone: zone } }\n"
                             "  tls: { files: t.yaml, each: \"hosts[*]\", yaml: { host: \".\" }, as: { host: host } }\n"
                             "for: record\njoin: { \"tls?\": { host: \"{label}.{zone}\" } }\nrequire: tls\n"
                             "message: \"no certificate for {record.label}\"\nat: record.label\n";
    const auto found = [&](const std::string& hosts) {
        return run_rule({{"r.yaml", "label: a\nzone: Example.org\n"}, {"t.yaml", "hosts: " + hosts + "\n"}}, body)
            .lines()
            .size();
    };
    CHECK(found("[a.example.org]") == 0);
    CHECK(found("['*.example.org']") == 0);
    CHECK(found("['*.org', example.org, '*.a.example.org']") == 1); // a wildcard is one label
    CHECK(holds(error_of("facts:\n  a: { files: x, yaml: { v: v } }\n  b: { files: y, yaml: { w: w } }\nfor: a\n"
                         "join: { b: { w: \"{u}.x\" } }\nforbid: b\nmessage: m\n"),
                "`u` is not a field of fact `a`"));
}

TEST_CASE("as image: an image has a name, a tag and a digest, each with its place") {
    const std::string body =
        "facts:\n  pod: { files: p.yaml, yaml: { image: image }, as: { image: image } }\nfor: pod\n"
        "assert: [pod.image.tag exists, pod.image.digest absent]\n"
        "message: \"{pod.image.name}\"\nat: pod.image.name\n";
    const auto said = [&](const std::string& image) {
        const auto run = run_rule({{"p.yaml", "image: " + image + "\n"}}, body);
        return run.lines().empty() ? std::string() : run.lines().front();
    };
    CHECK(said("registry.example:5000/team/app:1.2").empty());
    CHECK(said("registry.example:5000/team/app") == "p.yaml:1: error: registry.example:5000/team/app");
    CHECK(said("app:1.2@sha256:abc") == "p.yaml:1: error: app");
    const auto tagged = run_rule({{"p.yaml", "image: app:latest\n"}},
                                 "facts:\n  pod: { files: p.yaml, yaml: { image: image }, as: { image: image } }\n"
                                 "for: pod\nforbid: pod.image.tag == \"latest\"\nmessage: m\nat: pod.image.tag\n");
    CHECK(tagged.run->locator->locate(tagged.first().place).begin.column == 12);
    CHECK(holds(error_of("facts:\n  a: { table: flux2-charts, as: { chart: image } }\nfor: a\nforbid: a\nmessage: m\n"),
                "a field is read as"));
}

TEST_CASE("message: parts without a value are left out, and of several ways the first that can be said counts") {
    const std::string body = items + "forbid: item\nmessage:\n  - \"{item.name}\"\n"
                                     "  - [\" of {item.team}\", \" of nobody\"]\n  - \" on {item.port}\"\n"
                                     "  - { when: item.port == 80, says: \" without TLS\" }\nat: [item.port, item]\n";
    const auto run = run_rule({{"x.yaml", "items:\n- {name: a, team: t}\n- {name: b, port: 80}\n"}}, body);
    CHECK(run.lines() == Lines{"x.yaml:2: error: a of t", "x.yaml:3: error: b of nobody on 80 without TLS"});
    CHECK(run.first().key == "probe:x.yaml:items[name=a]"); // a list of places is no part of it
    CHECK(holds(error_of(items + "forbid: item\nmessage: [{ says: x }]\n"), "has `when` and `says`"));
}

TEST_CASE("also: the places that the rule names, in place of those that are compared") {
    const auto run = run_rule({{"x.yaml", "items: [{name: a, team: t, port: 80}]\n"}},
                              items + "forbid: item.port == 80\nmessage: \"{item.team}\"\nat: item.port\n"
                                      "also:\n  - { at: item.name, says: \"called {item.name}\" }\n"
                                      "  - { when: item.team == \"u\", at: item.team, says: never }\n");
    REQUIRE(run.first().related.size() == 1);
    CHECK(run.first().related.front().message == "called a");
    CHECK(holds(error_of(items + "forbid: item\nmessage: m\nalso: [{ at: item.name }]\n"), "needs `at` and `says`"));
}

TEST_CASE("all errors of a rule file are told at once, in their order") {
    const std::string error = error_of("facts:\n  a: { files: x, yaml: { v: v } }\nfor: a\nassert: a.w == \"1\"\n"
                                       "message: \"{a.u}\"\nat: a.t\ntags: { no: list }\n");
    CHECK(holds(error, "probe.yaml:9:9: error: `w` is not a field"));
    CHECK(holds(error, "probe.yaml:10:10: error: `u` is not a field"));
    CHECK(holds(error, "probe.yaml:11:5: error: `t` is not a field"));
    CHECK(holds(error, "`tags`"));
    const std::string facts =
        error_of("facts:\n  a: { file: x }\n  b: { table: nothing }\nfor: c\nforbid: a\nmessage: m\n");
    CHECK(holds(facts, "unknown key `file`"));
    CHECK(holds(facts, "there is no table `nothing`"));
    CHECK_FALSE(holds(facts, "names no fact")); // what builds on the facts is left out
}

TEST_CASE("a kind that nothing knows is warned about, unless the tree defines it") {
    const auto warned = [](Files files, const std::string& kind) {
        return run_rule(files, "facts:\n  a: { resources: " + kind + " }\nfor: a\nforbid: a\nmessage: m\n")
            .run->warnings;
    };
    CHECK(warned({}, "Deployment.apps").empty());
    CHECK(warned({}, "HelmRelease").empty());
    const auto slip = warned({}, "Deploymnt.apps");
    REQUIRE(slip.size() == 1);
    CHECK(holds(slip.front(), "the fact `a` asks for the kind `Deploymnt`"));
    CHECK(holds(slip.front(), "did you mean `Deployment`?"));
    CHECK(warned({}, "Cart.shop.example.org").size() == 1);
    CHECK(warned({{"crd.yaml", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
                               "metadata: {name: carts.shop.example.org}\nspec:\n  group: shop.example.org\n"
                               "  scope: Namespaced\n  names: {kind: Cart, plural: carts}\n  versions: []\n"}},
                 "Cart.shop.example.org")
              .empty());
}

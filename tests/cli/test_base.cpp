// Rules that judge a change: they run only against a base, which is read only for them, and their findings may take the
// place of others.
#include "memory_run.h"

using namespace lockstep;

namespace {

const std::string two_tree_rule = "native: built-in\nneeds: base\n";

LintRequest against(Files files, int& reads) {
    LintRequest request;
    request.base = [tree = tree_in_memory(files), &reads](const Config&) -> Result<Tree> {
        ++reads;
        return tree;
    };
    return request;
}

Rule named(const std::string& id) {
    Rule rule;
    rule.id = id;
    rule.native = id;
    rule.pack = "core";
    return rule;
}

Finding finding_of(std::string message, Place place) {
    Finding finding;
    finding.message = std::move(message);
    finding.place = place;
    return finding;
}

void snapshot(const CheckInput&, RuleOutcome& outcome) {
    outcome.fail("a", finding_of("half", {0, {0, 1}}));
    outcome.fail("b", finding_of("other", {0, {2, 3}}));
}

void two_tree(const CheckInput& input, RuleOutcome& outcome) {
    REQUIRE(input.base != nullptr);
    for (const RuleOutcome* other : input.replaced) {
        Finding finding = finding_of("moved", other->findings.front().place);
        finding.replaces = {other->findings.front().key};
        outcome.fail("a", std::move(finding));
    }
}

constexpr NativeCheck checks[] = {{snapshot, "", "snapshot"}, {two_tree, "", "two-tree"}};

// The findings as `rule:subject`, in the order of the rules.
std::vector<std::string> keys_of(const std::vector<RuleOutcome>& outcomes) {
    std::vector<std::string> keys;
    for (const auto& outcome : outcomes)
        for (const auto& finding : outcome.findings)
            keys.push_back(finding.key);
    return keys;
}

struct Judged {
    Tree tree = tree_in_memory({{"a.yaml", "a: b\n"}});
    RuleSet rules;
    Config config;

    std::vector<RuleOutcome> run(bool with_base, const Selection& selection = {}) {
        rules.rules = {named("snapshot"), named("two-tree")};
        rules.rules.back().needs_base = true;
        rules.rules.back().replaces = {"snapshot"};
        const FactPlan plan(rules.rules);
        const ReadResult read = read_repository(tree, config, rules, plan, 1);
        return judge(rules, plan, read, config, selection, checks, with_base ? &read.repository : nullptr);
    }
};

} // namespace

TEST_CASE("a rule that needs a base does not run without one, and says why") {
    const MemoryRun made = run_rule({{"a.yaml", "a: b\n"}}, two_tree_rule);
    CHECK_FALSE(made.outcome().ran);
    CHECK(made.outcome().why_not == "needs a base revision (--base)");
    CHECK(made.run->base_read == nullptr);
}

TEST_CASE("with a base it runs, and the base's texts stay there for it") {
    int reads = 0;
    const auto request = against({{"a.yaml", "a: before\n"}}, reads);
    const MemoryRun made = run_rule({{"a.yaml", "a: b\n"}}, two_tree_rule, "", request);
    CHECK(made.outcome().ran);
    CHECK(reads == 1);
    REQUIRE(made.run->base_read != nullptr);
    CHECK(made.run->base_read->repository.tree->files.front().text == "a: before\n");
}

TEST_CASE("a base is read although no rule that runs compares trees: places of findings move by it") {
    int reads = 0;
    auto request = against({{"a.yaml", "a: b\n"}}, reads);
    request.selection.only = {"duplicate-key"};
    run_rule({{"a.yaml", "a: b\n"}}, two_tree_rule, "", request);
    CHECK(reads == 1);
}

TEST_CASE("a base that cannot be read fails the run") {
    LintRequest request;
    request.base = [](const Config&) -> Result<Tree> { return Error{"no such revision"}; };
    auto run =
        lint_tree(tree_in_memory({}), {}, {{"probe.yaml", "rule: probe\n" + rule_head + two_tree_rule}}, request);
    REQUIRE_FALSE(run);
    CHECK(run.error().message == "no such revision");
}

TEST_CASE("a finding that says more about an edit takes the place of the other, and of no third") {
    Judged judged;
    CHECK(keys_of(judged.run(true)) == std::vector<std::string>{"snapshot:b", "two-tree:a"});
    CHECK(keys_of(judged.run(false)) == std::vector<std::string>{"snapshot:a", "snapshot:b"});
}

TEST_CASE("asked for alone, a rule still builds on those it replaces, and only its own findings show") {
    Judged judged;
    Selection alone;
    alone.only = {"two-tree"};
    CHECK(keys_of(judged.run(true, alone)) == std::vector<std::string>{"two-tree:a"});
}

TEST_CASE("a suppression of the replaced rule silences the finding that replaces it") {
    Judged judged;
    judged.tree = tree_in_memory({{"a.yaml", "a: b # lockstep: ignore[snapshot] known since spring\n"}});
    auto outcomes = judged.run(true);
    Locator locator(judged.tree);
    const auto filtered =
        suppress(outcomes, judged.rules, judged.config, find_suppressions(judged.tree, locator), locator, "2026-01-01");
    CHECK(filtered.findings.empty());
    CHECK(filtered.suppressed.size() == 2);
}

TEST_CASE("a flipped Deployment is one finding: the change says more than the snapshot") {
    const std::string flux =
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: a }\n"
        "spec: { path: ./app, prune: true, sourceRef: { kind: GitRepository, name: flux-system } }\n";
    const std::string head = "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n";
    int reads = 0;
    const auto request = against({{"app/web.yaml", head + "  replicas: 1\n"}, {"flux.yaml", flux}}, reads);
    for (const bool with_base : {true, false}) {
        const MemoryRun made =
            run_rule({{"app/web.yaml", head + "  strategy: { type: Recreate }\n"}, {"flux.yaml", flux}}, two_tree_rule,
                     "", with_base ? request : LintRequest{});
        std::vector<std::string> rules;
        for (const auto& finding : made.run->findings)
            rules.push_back(finding.rule);
        CHECK(rules == std::vector<std::string>{with_base ? "strategy-flip" : "recreate-without-force"});
    }
}

TEST_CASE("needs and replaces are for native checks; only a base can be needed") {
    for (const char* body : {"native: built-in\nneeds: luck\n",
                             "needs: base\nfacts: { a: { files: x } }\nfor: a\nforbid: a\nmessage: m\n"}) {
        auto run = lint_tree(tree_in_memory({}), {}, {{"probe.yaml", "rule: probe\n" + rule_head + body}}, {});
        REQUIRE_FALSE(run);
        CHECK(run.error().path == "probe.yaml");
    }
}

namespace {

const std::string source =
    "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: fleet, namespace: flux-system }\n"
    "spec: { interval: 1m, url: \"https://git.example.org/a/b\", ref: { branch: main } }\n---\n";
const std::string the_sync =
    source +
    "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
    "metadata: { name: fleet, namespace: flux-system }\n"
    "spec: { interval: 1m, path: ./clusters/a, prune: true, sourceRef: { kind: GitRepository, name: fleet } }\n";
const std::string list = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [cm.yaml]\n";
const std::string map = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: b }\n";

std::string app(const std::string& path, const std::string& from) {
    return "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: app, namespace: "
           "flux-system }\n"
           "spec: { interval: 1m, path: " +
           path + ", prune: true, sourceRef: { kind: " + from + " } }\n";
}

std::vector<std::string> lost(Files before, Files after) {
    int reads = 0;
    auto request = against(before, reads);
    request.selection.only = {"duplicate-key"};
    return run_rule(after, two_tree_rule, "", request).run->lost_proof;
}

const std::string here = "GitRepository, name: fleet";

} // namespace

TEST_CASE("what clusters got for certain, and of which nobody knows any longer whether they do, is named") {
    const auto tree = [](const std::string& apps, const std::string& more = "") {
        return tree_in_memory({{"clusters/a/gotk-sync.yaml", the_sync},
                               {"clusters/a/app.yaml", apps},
                               {"app/kustomization.yaml", list},
                               {"app/cm.yaml", map + more}});
    };
    const auto change = [&](const std::string& apps, const std::string& more = "") {
        LintRequest request;
        request.base = [&](const Config&) -> Result<Tree> { return tree(app("./app", here)); };
        request.selection.only = {"duplicate-key"};
        auto run = lint_tree(tree(apps, more), {}, {}, request);
        REQUIRE(run);
        return (*run)->lost_proof;
    };
    CHECK(change(app("./app", here), "data: { a: b }\n").empty());
    CHECK(change("# gone\n").empty());
    CHECK(change(app("./other", here)).empty());
    const auto lines = change(app("./app", "OCIRepository, name: fleet"));
    REQUIRE(lines.size() == 2);
    CHECK(lines[0] == "Kustomization flux-system/app: was applied for certain, and no longer is: it no longer builds "
                      "this repository");
    CHECK(lines[1] ==
          "app/cm.yaml and 1 more: was applied for certain, and no longer is: its source is not known to be "
          "this repository");
}

TEST_CASE("a repository that did not say what is applied loses what it says nothing of") {
    CHECK(lost({{"a/kustomization.yaml", list}, {"a/cm.yaml", map}},
               {{"a/kustomization.yaml", list}, {"a/cm.yaml", map + "data: {}\n"}})
              .empty());
    CHECK(lost({{"a/kustomization.yaml", list}, {"a/cm.yaml", map}}, {{"a/cm.yaml", map}}).empty());
    const auto lines =
        lost({{"a/kustomization.yaml", list}, {"a/cm.yaml", map}},
             {{"a/kustomization.yaml", list}, {"a/cm.yaml", map}, {"clusters/a/gotk-sync.yaml", the_sync}});
    REQUIRE(lines.size() == 1);
    CHECK(lines[0] ==
          "a/kustomization.yaml: was applied for certain, and no longer is: nothing in this tree applies it");
    CHECK(lost({{"cm.yaml", map}}, {{"cm.yaml", map}, {"a/kustomization.yaml", list}, {"a/cm.yaml", map}}).size() == 1);
}

TEST_CASE("attributes after which git checks out something else than Flux reads are named") {
    const auto attributes = [](const std::string& line) {
        return lost({{"a.yaml", map}, {".gitattributes", "*.bin ident\n"}},
                    {{"a.yaml", map}, {"b.png", "x"}, {".gitattributes", "*.bin ident\n" + line}});
    };
    for (const char* line :
         {"*.yaml ident\n", "a.yaml filter=x\r\n", "/a.yaml text working-tree-encoding=UTF-16", "[attr]x ident\n"})
        CHECK_MESSAGE(attributes(line).size() == 1, line);
    for (const char* line : {"*.png filter=lfs\n", "*.yaml -ident\n", "*.yaml text eol=lf\n", "# *.yaml ident\n", "\n"})
        CHECK_MESSAGE(attributes(line).empty(), line);
}

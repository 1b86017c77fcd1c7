// What native checks are given: the facts they declare, the texts that are theirs to read; and what their findings
// weigh on side paths.
#include "checks/checks.h"
#include "memory_run.h"

using namespace lockstep;

namespace {

const std::string waits_for_nobody = R"(apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: flux-system, namespace: flux-system }
spec: { interval: 1m, ref: { branch: main }, url: "https://git.example.org/acme/fleet" }
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: flux-system, namespace: flux-system }
spec:
  interval: 10m
  path: ./clusters/prod
  prune: true
  dependsOn: [{ name: nobody-knows-it }]
  sourceRef: { kind: GitRepository, name: flux-system }
)";

std::size_t errors_of(MemoryRun run, const std::string& rule) {
    run.rule = rule;
    return run.lines().size();
}

std::vector<std::string> syntax(Files files, const std::string& config = "") {
    MemoryRun run = run_rule(files, "", config);
    run.rule = "yaml-syntax";
    return run.lines();
}

constexpr const char* broken = "a: [b\n";

} // namespace

TEST_CASE("a rule that reads other files changes no verdict of another rule") {
    const Files files = {{"clusters/prod/sync.yaml", waits_for_nobody},
                         {"docs/notes.md", "kubectl -n flux-system get kustomization nobody-knows-it\n"}};
    const std::string notes = "facts: { a: { files: '**/*.md', text: '(?P<x>zzz)' } }\nfor: a\nforbid: a\nmessage: m\n";
    CHECK(errors_of(run_rule(files, ""), "depends-on-missing") == 1);
    CHECK(errors_of(run_rule(files, notes), "depends-on-missing") == 1);
}

TEST_CASE("a rule that names a native check without its facts is an error with its place, or runs") {
    for (const NativeCheck& check : native_checks()) {
        const std::string text = "rule: probe\n" + rule_head + "native: " + std::string(check.name) + "\n";
        auto run = lint_tree(tree_in_memory({{"clusters/prod/sync.yaml", waits_for_nobody}}), {},
                             {{".lockstep/rules/probe.yaml", text}}, {});
        CHECK_MESSAGE(bool(run) == check.takes.empty(), check.name);
        if (run) continue;
        CHECK(run.error().path == ".lockstep/rules/probe.yaml");
        CHECK(run.error().at.line == 6);
        CHECK(run.error().message.find("needs a fact") != std::string::npos);
    }
}

TEST_CASE("on a side path a rule about files says a note") {
    CHECK(syntax({{"apps/a.yaml", broken}}).front().starts_with("apps/a.yaml:1: error: "));
    for (const char* path :
         {"docs/a.yaml", "pkg/testdata/a.yaml", "test/a.yaml", "x/examples/y/a.yaml", ".archive/a.yaml"})
        CHECK(syntax({{path, broken}}).front().find(":1: note: ") != std::string::npos);
    CHECK(syntax({{"play/a.yaml", broken}}).front().find(": error: ") != std::string::npos);
    CHECK(syntax({{"play/a.yaml", broken}}, "side-paths: ['play/**']\n").front().find(": note: ") != std::string::npos);
    CHECK(syntax({{"docs/a.yaml", broken}}, "severity: { yaml-syntax: error }\n").front().find(": error: ") !=
          std::string::npos);
}

TEST_CASE("a cluster called test is a cluster") {
    CHECK(syntax({{"clusters/test/a.yaml", broken}}).front().find(": error: ") != std::string::npos);
}

TEST_CASE("what a generator fills in is a side path") {
    const auto weighs = [](Files files) {
        const auto lines = syntax(files);
        return lines.empty() ? std::string() : lines.front().substr(lines.front().find(": ") + 2, 4);
    };
    CHECK(weighs({{"gen/a.yaml", "name: <CLUSTER_NAME>\na: [b\n"}}) == "note");
    CHECK(weighs({{"gen/a.yaml", "name: text with <HTML>\na: [b\n"}}) == "erro");
    CHECK(weighs({{"gen/a.yaml", broken}, {"gen/b.yaml.j2", "x"}}) == "note");
    CHECK(weighs({{"gen/a.yaml", broken}, {"other/b.yaml.j2", "x"}}) == "erro");
    CHECK(weighs({{"gen/assets/a.yaml", broken}, {"gen/main.go", "//go:embed assets\nvar files embed.FS\n"}}) ==
          "note");
    CHECK(weighs({{"gen/assets/a.yaml", broken}, {"gen/main.go", "package main\n"}}) == "erro");
}

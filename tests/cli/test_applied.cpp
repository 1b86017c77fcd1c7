// What a cluster gets decides what findings weigh, however many overlays lead there, and `why` says the same.
#include "deploy/why.h"
#include "memory_run.h"

using namespace lockstep;

namespace {

const std::string flux_sync = R"(apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: flux-system, namespace: flux-system }
spec: { interval: 1m, ref: { branch: main }, url: "https://git.example.org/acme/fleet" }
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: flux-system, namespace: flux-system }
spec:
  interval: 10m
  path: ./
  prune: true
  sourceRef: { kind: GitRepository, name: flux-system }
)";

const std::string stateful_set = R"(apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  serviceName: db
  selector: { matchLabels: { app: db } }
  template: { metadata: { labels: { app: db } } }
)";

const std::string forced = R"(patches:
  - target: { kind: StatefulSet }
    patch: |
      - { op: add, path: /metadata/annotations, value: { kustomize.toolkit.fluxcd.io/force: enabled } }
)";

MemoryRun run_over(const std::vector<std::pair<std::string, std::string>>& files, const std::string& rule) {
    Tree tree;
    for (const auto& [path, text] : files)
        tree.files.push_back({path, text, text.size(), FileState::read});
    std::sort(tree.files.begin(), tree.files.end(), [](const File& a, const File& b) { return a.path < b.path; });
    auto run = lint_tree(std::move(tree), {}, {}, {});
    REQUIRE_MESSAGE(run, to_string(run.error()));
    return {std::move(*run), rule};
}

Certainty why_says(const MemoryRun& made, const std::string& path) {
    const Repository& repository = made.run->read.repository;
    Certainty best = Certainty::loose;
    for (const Part& part : chains_of_file(repository.index, fleet_of(repository), *made.run->tree.find(path)).parts)
        for (const WhyChain& chain : part.found.chains)
            best = std::max(best, chain.certainty);
    return best;
}

} // namespace

TEST_CASE("of seventy tenants the one that forces a StatefulSet is an error") {
    for (const int which : {10, 45, 79}) {
        std::vector<std::pair<std::string, std::string>> files = {
            {"clusters/prod/flux-system/gotk-sync.yaml", flux_sync},
            {"kustomization.yaml", "resources: [clusters/prod/flux-system/gotk-sync.yaml, tenants]\n"},
            {"base/kustomization.yaml", "resources: [db.yaml]\n"},
            {"base/db.yaml", stateful_set}};
        std::string all = "resources:\n";
        for (int i = 10; i < 80; ++i) {
            const std::string name = "t" + std::to_string(i);
            files.emplace_back("tenants/" + name + "/kustomization.yaml",
                               "namespace: " + name + "\nresources: [../../base]\n" + (i == which ? forced : ""));
            all += "  - " + name + "\n";
        }
        files.emplace_back("tenants/kustomization.yaml", all);
        const MemoryRun made = run_over(files, "force-on-stateful");
        REQUIRE(made.lines().size() == 1);
        CHECK(made.lines().front().starts_with("tenants/t" + std::to_string(which) + "/kustomization.yaml:"));
        CHECK(made.lines().front().find(": error: StatefulSet db is marked") != std::string::npos);
        REQUIRE(made.first().applied_by);
        CHECK(made.first().applied_by->clusters == std::vector<std::string>{"clusters/prod"});
    }
}

TEST_CASE("below .github check and why agree: Flux fetches none of it") {
    const std::string bad = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { on: true }\n";
    const MemoryRun left = run_over(
        {{"clusters/prod/flux-system/gotk-sync.yaml", flux_sync}, {".github/app.yaml", bad}, {"apps/app.yaml", bad}},
        "metadata-value-not-string");
    REQUIRE(left.lines().size() == 2); // an error, and a note on what nothing applies
    CHECK(why_says(left, ".github/app.yaml") == Certainty::loose);
    CHECK(why_says(left, "apps/app.yaml") == Certainty::proven);
    for (const Finding& finding : left.run->unfolded) {
        if (finding.rule != left.rule) continue;
        const std::string& path = left.run->tree.files[finding.place.file].path;
        CHECK((finding.severity == Severity::error) == (why_says(left, path) == Certainty::proven));
        CHECK(bool(finding.applied_by) == (why_says(left, path) == Certainty::proven));
    }
}

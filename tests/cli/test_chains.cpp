// Over all fixtures and the corpus: every chain that a finding shows is one that `lockstep why` prints for its file,
// and no error or warning about what is applied rests on a chain that is not proven.
#include "../tree/scratch.h"
#include "cli/lint.h"
#include "deploy/why.h"
#include "index/cells.h"
#include "report/why_report.h"
#include <doctest/doctest.h>
#include <filesystem>
#include <nlohmann/json.hpp>

using namespace lockstep;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const std::string source_root = LOCKSTEP_SOURCE_ROOT;

// One link as both sides show it: its words, and the line that leads on.
using Shown = std::vector<std::string>;

Shown shown(const AppliedBy& by, Locator& locator) {
    Shown made;
    for (const AppliedBy::Link& link : by.chain) {
        const Location at = locator.locate(link.place);
        made.push_back(is_there(link.place) ? std::string(at.path) + ":" + std::to_string(at.begin.line) : "-");
    }
    return made;
}

Shown shown(const Json& chain) {
    Shown made;
    for (const Json& link : chain["links"]) {
        const Json& at = link["place"];
        made.push_back(at.is_null() ? "-"
                                    : at["file"].get<std::string>() + ":" + std::to_string(at["line"].get<int>()));
    }
    return made;
}

struct Counts {
    std::size_t trees = 0, chains = 0, weighty = 0;
};

class Property {
public:
    Property(LintRun& run, Counts& counts)
        : run_(run), counts_(counts), index_(run.read.repository.index), fleet_(fleet_of(run.read.repository)) {}

    void hold() {
        ++counts_.trees;
        for (const Finding& finding : run_.findings) {
            const Place place = is_there(finding.proof) ? finding.proof : finding.place;
            if (!is_there(place)) continue;
            INFO(finding.rule << " " << run_.locator->locate(place).path << ": " << finding.message);
            if (finding.applied_by && !finding.applied_by->chain.empty()) shows_what_why_prints(finding, place);
            if (judges_applied(finding) && finding.severity >= Severity::warning && !is_raised(finding))
                rests_on_proof(finding, place);
        }
    }

private:
    void shows_what_why_prints(const Finding& finding, Place place) {
        ++counts_.chains;
        const Shown wanted = shown(*finding.applied_by, *run_.locator);
        bool printed = false;
        for (const Json& part : why(place.file)["parts"])
            for (const Json& chain : part["chains"])
                if (chain["certainty"] == "proven" && shown(chain) == wanted)
                    printed = printed || finding.applied_by->clusters.empty() ||
                              chain["cluster"] == finding.applied_by->clusters.front();
        CHECK_MESSAGE(printed, "`why` does not print this chain");
    }

    void rests_on_proof(const Finding& finding, Place place) {
        ++counts_.weighty;
        if (!fleet_.has_roots) return; // nothing says what is applied: all of it is taken as applied
        CHECK_MESSAGE((finding.applied_by && !finding.applied_by->chain.empty()), "it has no chain");
        bool proven = false;
        for (const Json& part : why(place.file)["parts"])
            for (const Json& chain : part["chains"])
                proven = proven || chain["certainty"] == "proven";
        CHECK_MESSAGE(proven, "`why` knows no proven chain");
    }

    const Json& why(FileId file) {
        const auto [known, fresh] = why_.try_emplace(file);
        if (fresh)
            known->second = Json::parse(why_json(
                index_, fleet_, file, chains_of_file(index_, fleet_, file, most_chains_for_programs), *run_.locator));
        return known->second;
    }

    bool judges_applied(const Finding& finding) const {
        const Rule* rule = run_.rules.find(finding.rule);
        return rule && rule->judges == Judges::applied;
    }

    // By the config, which weighs more.
    bool is_raised(const Finding& finding) const {
        const Rule* rule = run_.rules.find(finding.rule);
        const std::string& path = run_.tree.files[finding.place.file].path;
        return severity_for(run_.config, rule->ids(), path, Severity::note) != Severity::note;
    }

    LintRun& run_;
    Counts& counts_;
    const Index& index_;
    const Fleet& fleet_;
    std::map<FileId, Json> why_;
};

void hold_for(const fs::path& folder, Counts& counts) {
    INFO(folder.string());
    LintRequest request;
    request.path = folder.string();
    request.today = "2026-01-01";
    if (fs::is_directory(folder / "base") && fs::is_directory(folder / "head")) {
        request.path += "/head";
        request.base = base_in((folder / "base").string(), 1);
    }
    auto run = lint(request);
    REQUIRE_MESSAGE(run, to_string(run.error()));
    Property(**run, counts).hold();
}

std::vector<fs::path> folders_in(const fs::path& path) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(path))
        if (entry.is_directory()) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace

TEST_CASE("in all fixtures: chains of findings are those of why, and what weighs is proven") {
    Counts counts;
    for (const fs::path& rule : folders_in(source_root + "/fixtures"))
        if (rule.filename() != "demo")
            for (const fs::path& folder : folders_in(rule))
                hold_for(folder, counts);
    hold_for(source_root + "/fixtures/demo", counts);
    CHECK(counts.trees > 500);
    CHECK(counts.chains > 200); // it looks at something
    CHECK(counts.weighty > 200);
    MESSAGE(counts.trees << " trees, " << counts.chains << " chains, " << counts.weighty << " errors and warnings");
}

// Clusters c10 and on, each of which applies ./base; `last` is what the last one substitutes and edits.
void write_clusters(const Scratch& scratch, int count, const std::string& all, const std::string& last) {
    for (int i = 10; i < 10 + count; ++i) {
        const std::string dir = "clusters/c" + std::to_string(i);
        const std::string kind = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ";
        const std::string source = "  prune: true\n  sourceRef: {kind: GitRepository, name: flux-system}\n";
        scratch.write(dir + "/flux-system/gotk-sync.yaml",
                      "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n"
                      "metadata: {name: flux-system, namespace: flux-system}\n"
                      "spec: {interval: 1m, url: 'https://github.com/o/r', ref: {branch: main}}\n---\n" +
                          kind + "flux-system, namespace: flux-system}\nspec:\n  interval: 1m\n  path: ./" + dir +
                          "\n" + source);
        scratch.write(dir + "/apps.yaml", kind +
                                              "apps, namespace: flux-system}\nspec:\n  interval: 1m\n  path: ./base\n" +
                                              source + (i + 1 < 10 + count ? all : last));
    }
}

const Finding* finding_of(const LintRun& run, std::string_view rule) {
    for (const Finding& one : run.findings)
        if (one.rule == rule) return &one;
    return nullptr;
}

TEST_CASE("a finding about one cluster of thirty names that one, and why prints its chain") {
    const Scratch scratch;
    scratch.write("base/kustomization.yaml", "resources: [cm.yaml]\n");
    scratch.write("base/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: x}\n"
                                  "data:\n  host: ${HOST}\n  domain: DOMAIN_PLACEHOLDER\n");
    const std::string patch = "  patches:\n  - target: {kind: ConfigMap}\n    patch: |\n"
                              "      - {op: replace, path: /data/domain, value: example.org}\n";
    write_clusters(scratch, 30, "  postBuild: {substitute: {HOST: h}}\n" + patch,
                   "  postBuild: {substitute: {OTHER: h}}\n");
    Counts counts;
    LintRequest request;
    request.path = scratch.root();
    auto run = lint(request);
    REQUIRE_MESSAGE(run, to_string(run.error()));
    for (const std::string_view rule : {"substitution-unset", "placeholder-left"}) {
        INFO(rule);
        const Finding* found = finding_of(**run, rule);
        REQUIRE(found);
        REQUIRE(found->applied_by);
        CHECK(found->applied_by->clusters == std::vector<std::string>{"clusters/c39"});
    }
    Property(**run, counts).hold();
    CHECK(counts.chains >= 2);
}

TEST_CASE("in real repositories: chains of findings are those of why, and what weighs is proven") {
    if (!fs::is_directory(source_root + "/../shared/corpus")) {
        MESSAGE("skipped: no corpus beside the project");
        return;
    }
    Counts counts;
    for (const fs::path& folder : folders_in(source_root + "/../shared/corpus"))
        hold_for(folder, counts);
    CHECK(counts.chains > 0);
    MESSAGE(counts.trees << " trees, " << counts.chains << " chains, " << counts.weighty << " errors and warnings");
}

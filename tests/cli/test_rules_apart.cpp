// Over all fixtures: a rule of the repository's own that looks at every file, and has nothing to do with the others,
// changes none of their findings and none of their verdicts.
#include "../tree/scratch.h"
#include "cli/lint.h"
#include <doctest/doctest.h>
#include <filesystem>

using namespace lockstep;

namespace {

namespace fs = std::filesystem;

const std::string source_root = LOCKSTEP_SOURCE_ROOT;
const std::string head = "severity: note\nsummary: s\nwhy: w\nfix: f\n";
const std::string by_text = "rule: looks-at-all-text\n" + head +
                            "facts:\n  any: { files: \"**/*\", text: '(?P<word>[a-zA-Z]+)' }\n"
                            "for: any\nforbid: any.word == \"no such word at all\"\nmessage: m\nat: any.word\n";
const std::string by_yaml = "rule: looks-at-all-yaml\n" + head +
                            "facts:\n  any: { files: \"**/*\", yaml: { kind: kind } }\n"
                            "for: any\nforbid: any.kind == \"no such kind at all\"\nmessage: m\nat: any.kind\n";

bool is_own(std::string_view rule) {
    return rule.starts_with("looks-at-all-");
}

struct Said {
    std::vector<std::string> findings;
    std::size_t own_rows = 0;
};

Said said_of(const fs::path& folder, const std::string& rules) {
    LintRequest request;
    request.path = folder.string();
    request.today = "2026-01-01";
    request.jobs = 1;
    if (!rules.empty()) request.rules = {rules};
    if (fs::is_directory(folder / "base") && fs::is_directory(folder / "head")) {
        request.path += "/head";
        request.base = base_in((folder / "base").string(), 1);
    }
    auto run = lint(request);
    REQUIRE_MESSAGE(run, to_string(run.error()));
    Said said;
    for (const Finding& finding : (*run)->unfolded) {
        if (is_own(finding.rule)) continue;
        const Location at = (*run)->locator->locate(finding.place);
        said.findings.push_back(finding.rule + " " + std::string(to_string(finding.severity)) + " " +
                                std::string(at.path) + ":" + std::to_string(at.begin.line) + " " + finding.message);
    }
    for (const RuleOutcome& outcome : (*run)->outcomes)
        if (is_own(outcome.rule->id)) said.own_rows += outcome.count(Verdict::pass);
    std::sort(said.findings.begin(), said.findings.end());
    return said;
}

} // namespace

TEST_CASE("in all fixtures: a rule that looks at every file changes nothing that others find") {
    const Scratch scratch;
    scratch.write("rules/looks-at-all-text.yaml", by_text);
    scratch.write("rules/looks-at-all-yaml.yaml", by_yaml);
    const std::string rules = scratch.root() + "/rules";
    std::size_t trees = 0, findings = 0, rows = 0;
    for (const auto& rule : fs::directory_iterator(source_root + "/fixtures")) {
        if (!rule.is_directory() || rule.path().filename() == "demo") continue;
        for (const auto& folder : fs::directory_iterator(rule.path())) {
            if (!folder.is_directory()) continue;
            INFO(folder.path().string());
            const Said alone = said_of(folder.path(), ""), beside = said_of(folder.path(), rules);
            CHECK(alone.findings == beside.findings);
            ++trees;
            findings += alone.findings.size();
            rows += beside.own_rows;
        }
    }
    CHECK(trees > 1000);
    CHECK(findings > 900);
    CHECK(rows > trees); // it did look
}

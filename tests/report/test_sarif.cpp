// The SARIF log: read back by a parser; its schema and GitHub's wishes are held in tests/integration.
#include "sample.h"
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace lockstep;
using Json = nlohmann::ordered_json;

namespace {

Rule rule_named(std::string id) {
    Rule rule;
    rule.id = std::move(id);
    rule.pack = "core";
    rule.summary = "Two files disagree";
    rule.why = "One of them\nis wrong.\n";
    rule.fix = "Change both.";
    rule.tags = {"pins"};
    rule.severity = Severity::warning;
    return rule;
}

Json log_of(const Report& report) {
    return Json::parse(write_sarif(report).text);
}

Json result_of(SampleRun& run) {
    return log_of(run.report())["runs"][0]["results"][0];
}

} // namespace

TEST_CASE("one run, named tool, declared columns, no path of this machine") {
    const Tree tree = tree_in_memory({{"a.yaml", "v: 1\n"}});
    SampleRun run(tree);
    Report report = run.report();
    report.version = "1.2.3";
    const Json log = log_of(report);
    CHECK(log["version"] == "2.1.0");
    REQUIRE(log["runs"].size() == 1);
    const Json& only = log["runs"][0];
    CHECK(only["tool"]["driver"]["name"] == "lockstep");
    CHECK(only["tool"]["driver"]["version"] == "1.2.3");
    CHECK(only["tool"]["driver"]["semanticVersion"] == "1.2.3");
    CHECK(only["columnKind"] == "unicodeCodePoints");
    CHECK(only["results"] == Json::array());
    CHECK(only["invocations"] == Json::parse(R"([{"executionSuccessful": true}])"));
    CHECK_FALSE(only["originalUriBaseIds"]["%SRCROOT%"].contains("uri"));
    CHECK_FALSE(only.contains("automationDetails"));
}

TEST_CASE("the category ends in a slash") {
    const Tree tree = tree_in_memory({{"a.yaml", "v: 1\n"}});
    SampleRun run(tree);
    Report report = run.report();
    for (const char* category : {"prod", "prod/"}) {
        report.sarif_category = category;
        CHECK(log_of(report)["runs"][0]["automationDetails"]["id"] == "prod/");
    }
}

TEST_CASE("a rule that ran is told with everything the rule file says, one that did not is left out") {
    const Tree tree = tree_in_memory({{"a.yaml", "v: 1\n"}});
    SampleRun run(tree);
    const Rule drift = rule_named("chart-drift"), idle = rule_named("idle"), pins = rule_named("k3s");
    run.outcomes = {{&drift, true, {}, {}, {}}, {&idle, false, "switched off", {}, {}}, {&pins, true, {}, {}, {}}};
    run.outcomes.push_back(run.outcomes.back()); // a group of pins is several comparisons
    const Json rules = log_of(run.report())["runs"][0]["tool"]["driver"]["rules"];
    REQUIRE(rules.size() == 2);
    CHECK(rules[0] == Json::parse(R"({
        "id": "chart-drift", "name": "ChartDrift",
        "shortDescription": {"text": "Two files disagree."},
        "fullDescription": {"text": "One of them\nis wrong."},
        "help": {"text": "Why: One of them\nis wrong.\n\nFix: Change both.",
                 "markdown": "## Why\n\nOne of them\nis wrong.\n\n## Fix\n\nChange both.\n"},
        "defaultConfiguration": {"level": "warning"},
        "properties": {"precision": "high", "problem.severity": "warning", "tags": ["pins", "core"]}
    })"));
    CHECK(rules[1]["id"] == "k3s");
    CHECK_FALSE(rules[1].contains("name")); // K3s would say nothing new
}

TEST_CASE("a result has its rule, level, region, fingerprints, and its other places as links and as a flow") {
    const Tree tree = tree_in_memory({{"a.yaml", "x:\n  \xc3\xa4: 1.0\n"}, {"b/Chart.yaml", "version: 2.0\n"}});
    Finding finding = finding_at(place_of(tree, "a.yaml", "1.0"), "a says 1.0, b says 2.0");
    finding.related = {{place_of(tree, "b/Chart.yaml", "2.0"), "b is 2.0"}};
    SampleRun run(tree, {finding});
    const Json result = result_of(run);
    CHECK(result["ruleId"] == "some-rule");
    CHECK(result["ruleIndex"] == 0);
    CHECK(result["level"] == "error");
    CHECK(result["message"]["text"] == "a says 1.0, b says 2.0. See [b/Chart.yaml:1](1).");
    CHECK(result["locations"] == Json::parse(R"([{"physicalLocation": {
        "artifactLocation": {"uri": "a.yaml", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 2, "startColumn": 6, "endLine": 2, "endColumn": 9}}}])"));
    CHECK(result["relatedLocations"] == Json::parse(R"([{"id": 1, "physicalLocation": {
        "artifactLocation": {"uri": "b/Chart.yaml", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 1, "startColumn": 10, "endLine": 1, "endColumn": 13}},
        "message": {"text": "b is 2.0"}}])"));
    const Json& steps = result["codeFlows"][0]["threadFlows"][0]["locations"];
    REQUIRE(steps.size() == 2);
    CHECK(steps[1]["location"]["physicalLocation"] == result["locations"][0]["physicalLocation"]);
    CHECK(result["partialFingerprints"]["lockstep/v1"] == "some-rule a");
    CHECK(result["partialFingerprints"]["primaryLocationLineHash"].get<std::string>().ends_with(":1"));
    CHECK_FALSE(result.contains("suppressions"));
    CHECK_FALSE(result.contains("fixes"));
}

TEST_CASE("how a cluster gets the thing is a code flow of its own") {
    const Tree tree = tree_in_memory({{"apps.yaml", "path: ./apps\n"}, {"apps/a.yaml", "v: 1\n"}});
    Finding finding = finding_at(place_of(tree, "apps/a.yaml", "1"));
    finding.related = {{place_of(tree, "apps.yaml", "path"), "there"}};
    auto by = std::make_shared<AppliedBy>();
    by->chain.push_back({"Kustomization flux-system/apps", place_of(tree, "apps.yaml", "./apps")});
    by->chain.push_back({"every manifest below apps", {}}); // is in no file
    by->clusters = {"clusters/prod", "clusters/test"};
    finding.applied_by = by;
    SampleRun run(tree, {finding});
    const Json result = result_of(run);
    REQUIRE(result["codeFlows"].size() == 2);
    const Json& flow = result["codeFlows"][1];
    CHECK(flow["message"]["text"] == "how cluster clusters/prod gets it");
    const Json& steps = flow["threadFlows"][0]["locations"];
    REQUIRE(steps.size() == 2);
    CHECK(steps[0]["location"]["message"]["text"] == "Kustomization flux-system/apps");
    CHECK(steps[1]["location"]["physicalLocation"] == result["locations"][0]["physicalLocation"]);
    CHECK(result["properties"]["clusters"] == Json::parse(R"(["clusters/prod", "clusters/test"])"));
}

TEST_CASE("a region never leaves its first line") {
    const Tree tree = tree_in_memory({{"a.yaml", "a: \xc3\xa4\r\nb: 2\r\n"}});
    SampleRun run(tree, {finding_at(place_of(tree, "a.yaml", "a: \xc3\xa4\r\nb"))});
    CHECK(result_of(run)["locations"][0]["physicalLocation"]["region"] ==
          Json::parse(R"({"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 5})"));
}

TEST_CASE("paths start at the repository's root and are percent-encoded") {
    const Tree tree = tree_in_memory({{"a b/\xc3\xa4#%:.yaml", "v: 1\n"}});
    SampleRun run(tree, {finding_at({0, {0, 1}})});
    Report report = run.report();
    report.prefix = "my apps/";
    const Json result = log_of(report)["runs"][0]["results"][0];
    CHECK(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] ==
          "my%20apps/a%20b/%C3%A4%23%25%3A.yaml");
}

TEST_CASE("a finding in no file, or in a file without text, still has a file and a line") {
    const Tree tree = tree_in_memory({{"a.yaml", ""}});
    SampleRun run(tree, {finding_at({}), finding_at({0, {0, 0}})});
    const Json results = log_of(run.report())["runs"][0]["results"];
    CHECK(results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == ".lockstep.yaml");
    CHECK(results[1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a.yaml");
    for (const Json& result : results) {
        CHECK(result["locations"][0]["physicalLocation"]["region"] == Json::parse(R"({"startLine": 1})"));
        CHECK_FALSE(result["partialFingerprints"].contains("primaryLocationLineHash"));
    }
}

TEST_CASE("words of the repository cannot make links of their own") {
    const Tree tree = tree_in_memory({{"a[1].yaml", "v: 1\n"}});
    Finding finding = finding_at({0, {0, 1}}, "it says [here](https://example.org)");
    finding.related = {{{0, {3, 4}}, "[a](b)"}};
    SampleRun run(tree, {finding});
    const Json result = result_of(run);
    CHECK(result["message"]["text"] == "it says \\[here\\](https://example.org). See [a\\[1\\].yaml:1](1).");
    CHECK(result["relatedLocations"][0]["message"]["text"] == "\\[a\\](b)");
}

TEST_CASE("comments suppress in the source and give their reason, the baseline does from outside") {
    const Tree tree = tree_in_memory({{"a.yaml", "v: 1 # lockstep: ignore[some-rule] agreed\n"}});
    SampleRun run(tree, {finding_at({0, {0, 1}}, "it stands")});
    run.suppressed.push_back({finding_at({0, {3, 4}}, "by comment"), "agreed", SuppressedFinding::By::comment,
                              place_of(tree, "a.yaml", "# lockstep: ignore[some-rule] agreed")});
    run.suppressed.push_back(
        {finding_at({0, {3, 4}}, "by baseline"), "in the baseline", SuppressedFinding::By::baseline});
    const Json results = log_of(run.report())["runs"][0]["results"];
    REQUIRE(results.size() == 3);
    CHECK(results[0]["suppressions"] == Json::array()); // on all or on none
    CHECK(results[1]["suppressions"][0]["kind"] == "inSource");
    CHECK(results[1]["suppressions"][0]["justification"] == "agreed");
    CHECK(results[1]["suppressions"][0]["location"]["physicalLocation"]["region"]["startColumn"] == 6);
    CHECK(results[2]["suppressions"] ==
          Json::parse(R"([{"kind": "external", "status": "accepted", "justification": "in the baseline"}])"));

    Report report = run.report();
    report.sarif_suppressed = false;
    const Json fewer = log_of(report)["runs"][0]["results"];
    REQUIRE(fewer.size() == 1);
    CHECK_FALSE(fewer[0].contains("suppressions"));
}

TEST_CASE("an edit is a fix: the span that goes and the text that comes, file by file") {
    const Tree tree = tree_in_memory({{"a.yaml", "v: 1.0\n"}, {"b.yaml", "v: '1.0'\n"}});
    Finding finding = finding_at(place_of(tree, "a.yaml", "1.0"));
    finding.edits = {{place_of(tree, "a.yaml", "1.0"), "2.0"}, {place_of(tree, "b.yaml", "1.0"), "2.0"}};
    SampleRun run(tree, {finding});
    const Json changes = result_of(run)["fixes"][0]["artifactChanges"];
    REQUIRE(changes.size() == 2);
    CHECK(changes[1] == Json::parse(R"({
        "artifactLocation": {"uri": "b.yaml", "uriBaseId": "%SRCROOT%"},
        "replacements": [{"deletedRegion": {"startLine": 1, "startColumn": 5, "endLine": 1, "endColumn": 8},
                          "insertedContent": {"text": "2.0"}}]})"));
}

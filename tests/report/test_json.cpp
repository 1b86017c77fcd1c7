// The JSON report: read back by a parser, its keys and types are the contract.
#include "sample.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace lockstep;
using Json = nlohmann::ordered_json;

namespace {

std::string json_of(const Tree& tree, const std::vector<Finding>& findings, const RunStats& stats) {
    SampleRun run(tree, findings, stats);
    return write_json(run.report()).text;
}

std::vector<std::string> keys(const Json& object) {
    std::vector<std::string> out;
    for (const auto& item : object.items())
        out.push_back(item.key());
    return out;
}

} // namespace

TEST_CASE("the report has exactly the keys of the contract, in order, with their types") {
    const Tree tree = tree_in_memory({{"a.yaml", "x:\n  ä: 1\n  b: 2\n"}, {"b.yaml", "v: 22\n"}});
    Finding finding = finding_at(place_of(tree, "a.yaml", "1\n  b: 2"), "a \"says\" 1", Severity::note);
    finding.related = {{place_of(tree, "b.yaml", "22"), "b says 22"}};
    RunStats stats = small_run();
    stats.files = 2;
    stats.bytes = 24;
    stats.documents = 3;
    stats.templates_total = 5;
    stats.templates_read = 4;
    stats.undecided = 6;
    stats.milliseconds = 1.25;
    stats.rules.push_back({"idle", 0, 0, 0, 0, false});
    stats.rules.push_back({"off", 0, 0, 0, 0, false, "switched off", false});

    const std::string text = json_of(tree, {finding}, stats);
    CHECK(text.find("milliseconds") == std::string::npos);
    const Json json = Json::parse(text);
    CHECK(json.dump(2) + "\n" == text); // the indentation is the usual one, all the way down
    CHECK(keys(json) == std::vector<std::string>{"version", "findings", "stats"});
    CHECK(json["version"] == 1);
    REQUIRE(json["findings"].size() == 1);

    const Json& first = json["findings"][0];
    CHECK(keys(first) == std::vector<std::string>{"rule", "severity", "message", "path", "line", "column", "endLine",
                                                  "endColumn", "related", "chain", "clusters", "key"});
    CHECK(first["chain"].empty());
    CHECK(first["clusters"].empty());
    CHECK(first["rule"] == "some-rule");
    CHECK(first["severity"] == "note");
    CHECK(first["message"] == "a \"says\" 1");
    CHECK(first["path"] == "a.yaml");
    CHECK(first["line"] == 2);
    CHECK(first["column"] == 6);
    CHECK(first["endLine"] == 3);
    CHECK(first["endColumn"] == 7);
    CHECK(first["key"] == "some-rule a");
    REQUIRE(first["related"].size() == 1);
    CHECK(keys(first["related"][0]) == std::vector<std::string>{"path", "line", "column", "message"});
    CHECK(first["related"][0] == Json::parse(R"({"path":"b.yaml","line":1,"column":4,"message":"b says 22"})"));

    CHECK(json["stats"].dump() == R"({"files":2,"bytes":24,"documents":3,"templates":{"total":5,"read":4},)"
                                  R"("rules":{"applied":1,"notApplicable":1},"undecided":6})");
}

TEST_CASE("without findings the list is there and empty") {
    const Json json = Json::parse(json_of(Tree{}, {}, {}));
    CHECK(json["findings"].is_array());
    CHECK(json["findings"].empty());
}

TEST_CASE("a finding without related places has an empty list, one without a file an empty path and line 0") {
    const Json json = Json::parse(json_of(Tree{}, {finding_at({})}, small_run()));
    const Json& finding = json["findings"][0];
    CHECK(finding["related"] == Json::array());
    CHECK(finding["path"] == "");
    CHECK(finding["line"] == 0);
    CHECK(finding["column"] == 0);
    CHECK(finding["endLine"] == 0);
}

TEST_CASE("hostile bytes are replaced or escaped, and the report stays one that parses") {
    const Tree tree = tree_in_memory({{"a\xff\x1b[0m", "x: 1\n"}});
    Finding finding = finding_at({0, {3, 4}}, "bad \xc3\x28 \xc2\x9b \n\t\"\\ \u202e ä");
    finding.related = {{{0, {0, 1}}, "\xed\xa0\x80"}};
    finding.rule = std::string(1, '\x80');
    finding.key = finding.rule;
    const std::string text = json_of(tree, {finding}, small_run());
    CHECK(std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= 0x20 && c < 0x7f); }));
    const Json json = Json::parse(text);
    CHECK(json["findings"][0]["message"] == "bad \ufffd( \xc2\x9b \n\t\"\\ \u202e ä");
    CHECK(json["findings"][0]["path"] == "a\ufffd\x1b[0m");
    CHECK(json["findings"][0]["key"] == "\ufffd");
}

TEST_CASE("a finding about something applied names the chain and the clusters") {
    const Tree tree = tree_in_memory({{"apps.yaml", "spec:\n  path: ./apps\n"}, {"a.yaml", "v: 1\n"}});
    Finding finding = finding_at(place_of(tree, "a.yaml", "1"));
    auto by = std::make_shared<AppliedBy>();
    by->chain.push_back(
        {"Kustomization flux-system/apps", place_of(tree, "apps.yaml", "./apps"), AppliedBy::Link::As::applies});
    by->chain.push_back({"every manifest below apps", {}});
    by->clusters = {"clusters/prod", "clusters/test"};
    finding.applied_by = by;
    const std::string text = json_of(tree, {finding}, small_run());
    const Json json = Json::parse(text);
    CHECK(json.dump(2) + "\n" == text);
    CHECK(json["findings"][0]["chain"] ==
          Json::parse(R"([{"file": "apps.yaml", "line": 2, "what": "Kustomization flux-system/apps"},
                          {"file": "", "line": 0, "what": "every manifest below apps"}])"));
    CHECK(json["findings"][0]["clusters"] == Json::parse(R"(["clusters/prod", "clusters/test"])"));
}

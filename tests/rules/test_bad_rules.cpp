// Malformed rule files and configs: each gives one clear error with its place.
#include "config/config.h"
#include "rules/load.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

const std::string head = "rule: probe\nseverity: error\nsummary: s\nwhy: w\nfix: f\n";    // five lines
const std::string facts = "facts:\n  a: { files: \"*.yaml\", yaml: { v: v } }\nfor: a\n"; // lines 6 to 8

struct BadFile {
    const char* what;
    std::string text;
    Position at;
    const char* message;   // a part of it
    const char* hint = ""; // a part of it
};

void check_error(const BadFile& bad, const std::string& path, const std::optional<Error>& error) {
    INFO(bad.what);
    REQUIRE(error.has_value());
    CAPTURE(to_string(*error));
    CHECK(error->path == path);
    CHECK(error->at.line == bad.at.line);
    CHECK(error->at.column == bad.at.column);
    CHECK(error->message.find(bad.message) != std::string::npos);
    CHECK(error->hint.find(bad.hint) != std::string::npos);
}

} // namespace

TEST_CASE("a malformed rule file is one error with file, line, column and what was expected") {
    Vocabulary vocabulary;
    vocabulary.checks = {{"yaml-syntax"}, {"custom-resource-before-crd", {{"charts", {"group", "chart"}}}}};
    vocabulary.tables = {{"flux2-charts", {"chart", "flux"}}};
    const std::vector<BadFile> files = {
        {"broken YAML", "rule: [probe\n", {1, 7}, ""},
        {"empty file", "", {1, 1}, "empty"},
        {"a list", "- rule: probe\n", {1, 1}, "mapping"},
        {"unknown key", head + facts + "asert: a.v == \"1\"\nmessage: m\n", {9, 1}, "asert", "assert"},
        {"no id", "severity: error\nsummary: s\nwhy: w\nfix: f\n", {1, 1}, "rule"},
        {"bad id",
         "rule: Probe_1\nseverity: error\nsummary: s\nwhy: w\nfix: f\n" + facts + "forbid: a\nmessage: m\n",
         {1, 7},
         "not a rule id"},
        {"bad severity",
         "rule: probe\nseverity: fatal\nsummary: s\nwhy: w\nfix: f\n" + facts + "forbid: a\nmessage: m\n",
         {2, 11},
         "fatal"},
        {"key twice", head + "fix: g\n" + facts + "forbid: a\nmessage: m\n", {6, 1}, "fix"},
        {"unknown key of a fact",
         head + "facts:\n  a: { file: x }\nfor: a\nforbid: a\nmessage: m\n",
         {7, 8},
         "file",
         "files"},
        {"fact without files",
         head + "facts:\n  a: { yaml: { v: v } }\nfor: a\nforbid: a\nmessage: m\n",
         {7, 6},
         "needs files"},
        {"bad glob", head + "facts:\n  a: { files: \"x/{y\" }\nfor: a\nforbid: a\nmessage: m\n", {7, 15}, ""},
        {"bad path",
         head + "facts:\n  a: { files: x, yaml: { v: \"a[\" } }\nfor: a\nforbid: a\nmessage: m\n",
         {7, 29},
         ""},
        {"bad pattern",
         head + "facts:\n  a: { files: x, text: '(' }\nfor: a\nforbid: a\nmessage: m\n",
         {7, 24},
         "does not compile"},
        {"unknown table",
         head + "facts:\n  a: { table: flux2-chart }\nfor: a\nforbid: a\nmessage: m\n",
         {7, 15},
         "no table",
         "flux2-charts"},
        {"two sources",
         head + "facts:\n  a: { table: flux2-charts, resources: Pod }\nfor: a\nforbid: a\nmessage: m\n",
         {7, 6},
         "more than one source"},
        {"for names nothing",
         head + "facts:\n  a: { files: x }\nfor: b\nforbid: a\nmessage: m\n",
         {8, 6},
         "names no fact"},
        {"join of an unknown fact",
         head + facts + "join: { b: [v] }\nforbid: a\nmessage: m\n",
         {9, 9},
         "names no fact"},
        {"unknown field", head + facts + "assert: a.w == \"1\"\nmessage: m\n", {9, 9}, "not a field", "v"},
        {"text without quotes", head + facts + "assert: a.v == latest\nmessage: m\n", {9, 9}, "names no fact"},
        {"no operator", head + facts + "assert: a.v\nmessage: m\n", {9, 9}, "no comparison"},
        {"bad range", head + facts + "assert: a.v satisfies \"not a range\"\nmessage: m\n", {9, 9}, "range"},
        {"no verb", head + facts + "message: m\n", {1, 1}, "assert, forbid, require"},
        {"no message", head + facts + "forbid: a\n", {1, 1}, "message"},
        {"unknown field in a message", head + facts + "forbid: a\nmessage: \"{a.w}\"\n", {10, 10}, "not a field"},
        {"unknown native check", head + "native: yaml-sintax\n", {6, 9}, "no native check"},
        {"no native check for this rule", head + "native: true\n", {6, 9}, "there is no native check `probe`"},
        {"native without its fact",
         head + "native: custom-resource-before-crd\n",
         {6, 9},
         "needs a fact `charts`",
         "charts: group, chart"},
        {"native whose fact lacks a column",
         head + "native: custom-resource-before-crd\nfacts:\n  charts: { table: flux2-charts }\n",
         {8, 3},
         "no field `group`"},
        {"native with a fact it does not take",
         head + "native: yaml-syntax\nfacts:\n  charts: { table: flux2-charts }\n",
         {8, 3},
         "takes no fact `charts`",
         "no facts"},
        {"unknown thing to judge", head + "judges: files\nnative: yaml-syntax\n", {6, 9}, "judges must be one of"},
        {"native and for", head + facts + "native: yaml-syntax\n", {8, 1}, "does not go with"},
        {"require of what is not joined", head + facts + "require: a\nmessage: m\n", {9, 10}, "joined"},
        {"as of nothing",
         head + "facts:\n  a: { files: x, yaml: { v: v }, as: { v: number } }\nfor: a\nforbid: a\nmessage: m\n",
         {7, 43},
         "version or url"},
    };
    CHECK(files.size() >= 20);
    for (const auto& bad : files) {
        auto rule = load_rule("r.yaml", bad.text, "local", vocabulary);
        check_error(bad, "r.yaml", rule ? std::nullopt : std::optional(rule.error()));
    }
}

TEST_CASE("a malformed config is one error with file, line, column and what was expected") {
    const std::vector<BadFile> files = {
        {"broken YAML", "severity: {\n", {1, 11}, ""},
        {"unknown key", "excludes: [x]\n", {1, 1}, "excludes", "exclude"},
        {"bad level", "severity: { yaml-syntax: fatal }\n", {1, 26}, "error, warning, note or off"},
        {"bad glob", "exclude: [\"a/{b\"]\n", {1, 10}, ""},
        {"paths is a mapping", "paths: { files: x }\n", {1, 8}, "list"},
        {"pack that is none", "packs: { extra: true }\n", {1, 10}, "extra"},
        {"pack is no boolean", "packs: { catalyst: maybe }\n", {1, 20}, "true"},
        {"one site", "pins:\n  g:\n    sites: { a: { files: x, yaml: v } }\n", {3, 5}, "two sites"},
        {"site without a way",
         "pins:\n  g:\n    sites:\n      a: { files: x }\n      b: { files: y, yaml: v }\n",
         {4, 10},
         "either yaml"},
        {"canonical of nothing",
         "pins:\n  g:\n    canonical: c\n    sites: { a: { files: x, yaml: v }, b: { files: y, yaml: v } }\n",
         {3, 16},
         "canonical"},
        {"bad relation",
         "pins:\n  g:\n    relation: \">>\"\n    sites: { a: { files: x, yaml: v }, b: { files: y, yaml: v } }\n",
         {3, 15},
         "relation"},
        {"bad size", "limits: { file-size: many }\n", {1, 22}, "16MiB"},
        {"row is no mapping", "tables: { t: [a] }\n", {1, 15}, "row"},
    };
    for (const auto& bad : files) {
        auto config = parse_config(".lockstep.yaml", bad.text);
        check_error(bad, ".lockstep.yaml", config ? std::nullopt : std::optional(config.error()));
    }
}

// What lets more pass is named; what only makes a run stricter is not.
#include "filter/softening.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

std::vector<std::string> softened(const std::string& before, const std::string& after) {
    const auto old = parse_config(".lockstep.yaml", before), fresh = parse_config(".lockstep.yaml", after);
    REQUIRE_MESSAGE(old, to_string(old.error()));
    REQUIRE_MESSAGE(fresh, to_string(fresh.error()));
    return softened_config(*old, *fresh);
}

} // namespace

TEST_CASE("each key that can let more pass is named when it does, and not when it is taken back") {
    for (const char* config : {
             "exclude: [\"apps/**\"]\n",
             "severity: { duplicate-key: warning }\n",
             "severity: { duplicate-key: off }\n",
             "paths:\n  - files: \"apps/**\"\n    severity: { duplicate-key: off }\n",
             "external: [\"Secret/*/*\"]\n",
             "generated: [\"apps/**\"]\n",
             "side-paths: [\"apps/**\"]\n",
             "packs: { core: false }\n",
             "blueprint-shape: overlay\n",
         }) {
        CAPTURE(config);
        CHECK(softened("", config).size() == 1);
        CHECK(softened(config, config).empty());
        const std::string_view words = config; // what a rule without a word of the config is, only the rule knows
        if (words.find("paths") == std::string_view::npos && words.find("warning") == std::string_view::npos)
            CHECK(softened(config, "").empty());
    }
}

TEST_CASE("what held before and is gone is named") {
    CHECK(softened("must-apply: [duplicate-key]\n", "").size() == 1);
    CHECK(softened("", "must-apply: [duplicate-key]\n").empty());
    CHECK(softened("severity: { unwired-manifest: error }\n", "").size() == 1);
    CHECK(softened("severity: { unwired-manifest: error }\n", "severity: { unwired-manifest: note }\n").size() == 1);
    CHECK(softened("packs: { catalyst: true }\n", "").size() == 1);
    CHECK(softened("side-paths: [\"docs/**\"]\n", "side-paths: [\"docs/**\", \"apps/**\"]\n").size() == 1);
    CHECK(softened("applied: [apps]\n", "").size() == 1);
    CHECK(softened("applied: [apps, infra]\n", "applied: [apps]\n").size() == 1);
    CHECK(softened("", "applied: [apps]\n").size() == 1); // until now all of it counted
    CHECK(softened("applied: [apps]\n", "applied: [apps, infra]\n").empty());
    const std::string pins = "pins:\n  k3s:\n    canonical: a\n    sites:\n      a: { files: a.yaml, yaml: v }\n"
                             "      b: { files: b.yaml, yaml: v }\n";
    CHECK(softened(pins, "").size() == 1);
    CHECK(softened("", pins).empty());
    std::string other = pins;
    other.replace(other.find("b.yaml"), 6, "c.yaml");
    CHECK(softened(pins, other).size() == 1);
}

TEST_CASE("another idea of which repository this is counts whichever way it moves") {
    const std::string ours = "repository: https://git.example.org/acme/fleet\n";
    CHECK(softened(ours, "").size() == 1);
    CHECK(softened("", ours).size() == 1);
    CHECK(softened(ours, "repository: https://git.example.org/acme/other\n").size() == 1);
    CHECK(softened(ours, ours).empty());
}

TEST_CASE("every limit counts, whichever way it moves: a smaller one leaves files unread") {
    for (const char* name : {"file-size", "depth", "documents", "nodes", "scalar-size", "files", "applied",
                             "total-size", "findings", "archive-size", "archive-members"}) {
        CAPTURE(name);
        CHECK(softened("", "limits: { " + std::string(name) + ": 7777 }\n").size() == 1);
    }
}

TEST_CASE("rule files that went or differ are named, new ones only where they replace others") {
    const std::vector<RuleFile> before = {{"a.yaml", "rule: a"}, {"b.yaml", "rule: b"}, {"c.yaml", "rule: c"}};
    const std::vector<RuleFile> after = {
        {"a.yaml", "rule: a"}, {"b.yaml", "rule: b2"}, {"d.yaml", "rule: d"}, {"e.yaml", "replaces: [x]"}};
    CHECK(softened_rules(before, after) ==
          std::vector<std::string>{"b.yaml: differs", "c.yaml: removed", "e.yaml: replaces findings of other rules"});
}

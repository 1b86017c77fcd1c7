// Rules of a run taken together: against each other, and against the config.
#include "checks/checks.h"
#include "cli/lint.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>

using namespace lockstep;

TEST_CASE("a config that names an unknown rule is an error with its place and a suggestion") {
    auto config = parse_config(".lockstep.yaml", "severity:\n  yaml-sintax: off\n");
    REQUIRE(config);
    auto run = lint_tree(tree_in_memory({}), *config, {}, {});
    REQUIRE_FALSE(run);
    CHECK(to_string(run.error()) ==
          ".lockstep.yaml:2:3: error: there is no rule `yaml-sintax`\n  hint: did you mean `yaml-syntax`?");
}

TEST_CASE("two rules with one id are an error that names both files") {
    const std::string text = "rule: probe\nseverity: error\nsummary: s\nwhy: w\nfix: f\nfacts: { a: { files: x } "
                             "}\nfor: a\nforbid: a\nmessage: m\n";
    auto run = lint_tree(tree_in_memory({}), {}, {{"one.yaml", text}, {"two.yaml", text}}, {});
    REQUIRE_FALSE(run);
    CHECK(run.error().path == "two.yaml");
    CHECK(run.error().hint.find("one.yaml") != std::string::npos);
}

TEST_CASE("every native check is named after the rule that it judges") {
    auto run = lint_tree(tree_in_memory({}), {}, {}, {});
    REQUIRE(run);
    for (const NativeCheck& check : native_checks()) {
        const auto& rules = (*run)->rules.rules;
        CHECK_MESSAGE(std::any_of(rules.begin(), rules.end(),
                                  [&](const Rule& rule) { return rule.id == check.name && rule.native == check.name; }),
                      check.name);
    }
}

TEST_CASE("every rule id of version 0.1 is that of a rule, or its former one") {
    auto run = lint_tree(tree_in_memory({}), {}, {}, {});
    REQUIRE(run);
    std::ifstream file(LOCKSTEP_SOURCE_ROOT "/tests/cli/rule_ids_0.1.txt");
    std::size_t count = 0;
    for (std::string id; std::getline(file, id); ++count)
        CHECK_MESSAGE((*run)->rules.find(id), id);
    CHECK(count == 82);
}

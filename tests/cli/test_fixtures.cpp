// Every rule has fixtures, every fixture has a rule, and every fixture says what the rules say.
#include "cli/commands.h"
#include "fixture_trees.h"
#include <fstream>
#include <set>
#include <sstream>

using namespace lockstep;

namespace {

std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

} // namespace

TEST_CASE("all fixtures: every expectation is hit, and nothing else is found") {
    Options options;
    options.path = source_root + "/fixtures";
    auto printed = run_test(options);
    REQUIRE_MESSAGE(printed, to_string(printed.error()));
    CHECK_MESSAGE(printed->exit_code == 0, printed->out.bytes());
}

TEST_CASE("the demo repository shows exactly what it says it shows") {
    Options options;
    options.path = source_root + "/fixtures/demo";
    auto printed = run_test(options);
    REQUIRE_MESSAGE(printed, to_string(printed.error()));
    CHECK_MESSAGE(printed->exit_code == 0, printed->out.bytes());
}

TEST_CASE("every rule has a good and a bad fixture, and every fixture folder is named after a rule") {
    std::set<std::string> ids;
    for (const auto& rule : shipped_rules()) {
        ids.insert(rule.id);
        CHECK_MESSAGE(!fixtures_of(rule.id, "good").empty(), rule.id << " has no good fixture");
        CHECK_MESSAGE(!fixtures_of(rule.id, "bad-").empty(), rule.id << " has no bad fixture");
    }
    for (const auto& entry : std::filesystem::directory_iterator(source_root + "/fixtures")) {
        const std::string name = entry.path().filename().string();
        CHECK_MESSAGE((name == "demo" || ids.contains(name)), "fixtures/" << name << " belongs to no rule");
    }
}

TEST_CASE("every fact with a required field has a fixture in which it is lost") {
    for (const auto& rule : shipped_rules()) {
        if (!rule.declarative()) continue;
        std::set<std::size_t> lost;
        for (const auto& bad : fixtures_of(rule.id, "bad")) {
            auto run = run_tree(bad.tree, bad.config);
            const std::size_t number = number_of(*run, rule.id);
            for (std::size_t fact = 0; fact < rule.facts.size(); ++fact)
                for (const auto& row : table_of(*run, number, fact).rows)
                    if (!row.lost.empty()) lost.insert(fact);
        }
        for (std::size_t fact = 0; fact < rule.facts.size(); ++fact) {
            const FactSpec& spec = rule.facts[fact];
            const bool in_unless = std::any_of(rule.unless.begin(), rule.unless.end(),
                                               [&](const Join& join) { return join.fact == fact; });
            bool can_be_lost = spec.anchor.has_value();
            for (std::size_t i = 0; i < spec.fields.size(); ++i) {
                const bool decides = std::any_of(spec.where.begin(), spec.where.end(),
                                                 [&](const Comparison& where) { return where.left.column == i; });
                can_be_lost = can_be_lost || (!spec.fields[i].optional && !decides);
            }
            if (can_be_lost && !in_unless)
                CHECK_MESSAGE(lost.contains(fact), rule.id << ": no fixture in which `" << spec.name << "` is lost");
        }
    }
}

TEST_CASE("docs/rules.md is what the rule files say; `make docs` writes it anew") {
    Options options;
    options.path = source_root + "/fixtures"; // no rules of its own
    options.format = "markdown";
    auto printed = run_rules(options);
    REQUIRE_MESSAGE(printed, to_string(printed.error()));
    CHECK(printed->out.bytes() == file_text(source_root + "/docs/rules.md"));
}

TEST_CASE("every rule explains itself: a why, a fix and an example") {
    for (const auto& rule : shipped_rules()) {
        Options options;
        options.rule = rule.id;
        options.path = source_root + "/fixtures";
        auto printed = run_explain(options);
        REQUIRE(printed);
        CHECK_MESSAGE(printed->out.bytes().find("\nExample (bad-") != std::string::npos, rule.id);
        CHECK_MESSAGE(rule.why.size() > 80, rule.id << ": the why tells too little");
    }
}

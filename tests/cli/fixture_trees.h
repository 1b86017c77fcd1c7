// Fixture folders as trees in memory, so that tests can change them before a run.
#pragma once
#include "cli/lint.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <string>
#include <vector>

namespace lockstep {

inline const std::string source_root = LOCKSTEP_SOURCE_ROOT;

struct FixtureTree {
    std::string name; // `good`, `bad-x`
    Tree tree;
    Config config;
};

inline std::vector<FixtureTree> fixtures_of(const std::string& rule, const std::string& prefix) {
    std::vector<FixtureTree> found;
    const std::filesystem::path folder = source_root + "/fixtures/" + rule;
    if (!std::filesystem::is_directory(folder)) return found;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (!entry.is_directory() || !name.starts_with(prefix)) continue;
        auto tree = walk(entry.path().string(), {});
        REQUIRE(tree);
        Config config;
        for (auto& file : tree->files) {
            read_file(*tree, file);
            if (file.path != config_name) continue;
            auto parsed = parse_config(file.path, file.text);
            REQUIRE(parsed);
            config = *parsed;
        }
        tree->root.clear(); // nothing is read from the disk again
        found.push_back({name, std::move(*tree), std::move(config)});
    }
    std::sort(found.begin(), found.end(), [](const FixtureTree& a, const FixtureTree& b) { return a.name < b.name; });
    return found;
}

inline std::unique_ptr<LintRun> run_tree(const Tree& tree, const Config& config) {
    LintRequest request;
    request.jobs = 1;
    auto run = lint_tree(tree, config, {}, request);
    REQUIRE_MESSAGE(run, to_string(run.error()));
    return std::move(*run);
}

inline std::size_t number_of(const LintRun& run, const std::string& rule) {
    for (std::size_t i = 0; i < run.rules.rules.size(); ++i)
        if (run.rules.rules[i].id == rule) return i;
    FAIL("no rule " << rule);
    return 0;
}

inline const Table& table_of(const LintRun& run, std::size_t rule, std::size_t fact) {
    return run.read.table(run.plan->number(rule, fact));
}

inline bool reports(const LintRun& run, const std::string& rule, std::string_view part = "") {
    return std::any_of(run.findings.begin(), run.findings.end(), [&](const Finding& finding) {
        return finding.rule == rule && finding.message.find(part) != std::string::npos;
    });
}

// The rules in the binary, without pins of a config.
inline std::vector<Rule> shipped_rules() {
    return run_tree(tree_in_memory({}), {})->rules.rules;
}

} // namespace lockstep

// A whole run over a tree in memory with one rule of the test's own, for tests that prove what the rule language means.
#pragma once
#include "cli/lint.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {

using Files = std::initializer_list<std::pair<std::string, std::string>>;

struct MemoryRun {
    std::unique_ptr<LintRun> run;
    std::string rule; // id

    // `path:line: severity: message`, in order, of the rule's findings.
    std::vector<std::string> lines() const {
        std::vector<std::string> out;
        for (const auto& finding : run->findings) {
            if (finding.rule != rule) continue;
            const auto at = run->locator->locate(finding.place);
            out.push_back(std::string(at.path) + ":" + std::to_string(at.begin.line) + ": " +
                          std::string(to_string(finding.severity)) + ": " + finding.message);
        }
        return out;
    }
    const Finding& first() const {
        const auto found =
            std::find_if(run->findings.begin(), run->findings.end(), [&](const Finding& f) { return f.rule == rule; });
        REQUIRE(found != run->findings.end());
        return *found;
    }
    const RuleOutcome& outcome() const {
        const auto found = std::find_if(run->outcomes.begin(), run->outcomes.end(),
                                        [&](const RuleOutcome& o) { return o.rule->id == rule; });
        REQUIRE(found != run->outcomes.end());
        return *found;
    }
    std::size_t count(Verdict verdict) const { return outcome().count(verdict); }
};

inline const std::string rule_head = "severity: error\nsummary: s\nwhy: w\nfix: f\n";

// `body` is the rule without its head; its id is `probe`.
inline MemoryRun run_rule(Files files, const std::string& body, const std::string& config = "",
                          const LintRequest& request = {}) {
    auto parsed = parse_config(config.empty() ? "" : ".lockstep.yaml", config);
    REQUIRE_MESSAGE(parsed, to_string(parsed.error()));
    std::vector<RuleFile> rules;
    if (!body.empty()) rules.push_back({"probe.yaml", "rule: probe\n" + rule_head + body});
    auto run = lint_tree(tree_in_memory(files), *parsed, rules, request);
    REQUIRE_MESSAGE(run, to_string(run.error()));
    return {std::move(*run), "probe"};
}

} // namespace lockstep

// The face of a native check: what it is given, and the table it is found in by name.
#pragma once
#include "config/config.h"
#include "rules/outcome.h"
#include "rules/read.h"
#include <functional>
#include <span>

namespace lockstep {

// Facts of one rule, by their names in its file.
struct RuleFacts {
    const Rule* rule = nullptr;
    std::vector<const Table*> tables;

    const Table* find(std::string_view name) const {
        for (std::size_t i = 0; rule && i < tables.size(); ++i)
            if (rule->facts[i].name == name) return tables[i];
        return nullptr;
    }
};

struct CheckInput {
    const Rule& rule; // metadata, params
    const Repository& repository;
    const Config& config;
    std::vector<const Table*> facts; // of the rule's own facts, in their order
    bool catalyst = false;           // the catalyst pack is on
    // For rules that say `needs: base`: the repository before the change, as it was understood. Its files have other
    // numbers than those of `repository`: no place of a finding may come from here.
    const Repository* base = nullptr;
    std::vector<const RuleOutcome*> replaced = {}; // of the rules under `replaces`, which have run already
    // Those of another rule, for checks that start from the same things: what flux-version-split sees tells which Flux
    // is pinned. Nothing for an id that is not there.
    std::function<RuleFacts(std::string_view id)> facts_of = {};

    RuleFacts own_facts() const { return {&rule, facts}; }
};

struct NativeCheck {
    std::string_view name;
    void (*run)(const CheckInput& input, RuleOutcome& outcome);
};

} // namespace lockstep

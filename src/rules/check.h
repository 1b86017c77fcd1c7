// The face of a native check: what it is given, and the table it is found in by name.
#pragma once
#include "config/config.h"
#include "rules/outcome.h"
#include "rules/read.h"
#include <span>

namespace lockstep {

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
};

struct NativeCheck {
    std::string_view name;
    void (*run)(const CheckInput& input, RuleOutcome& outcome);
};

} // namespace lockstep

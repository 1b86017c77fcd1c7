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
};

struct NativeCheck {
    std::string_view name;
    void (*run)(const CheckInput& input, RuleOutcome& outcome);
};

} // namespace lockstep

// Deployments whose force mark counts, with the Services that send traffic to them.
#pragma once
#include "deploy/force_mark.h"
#include "deploy/nodes.h"
#include "deploy/service_selection.h"
#include "rules/check.h"
#include <functional>

namespace lockstep {

struct Forced {
    const Object& object;
    const Value* tree;
    ForceMark mark;
    std::vector<const SelectingService*> services;
};

// Those with a mark that counts on some chain; marks that nobody can read are undecided.
void each_forced(const CheckInput& input, Nodes& nodes, RuleOutcome& outcome,
                 const std::function<void(const Forced&)>& judge);

void relate_services(const Forced& forced, Finding& finding);

} // namespace lockstep

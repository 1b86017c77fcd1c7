// Values that an action prints as they are: where one is not set, an empty text is in the output, and nobody said
// what should.
#pragma once
#include "helm/template_run.h"

namespace lockstep {

// The fields that the action prints, without those that a function looks after (default, required, and the like).
// Variables but `$` and what is passed on are left out.
std::vector<const TemplateNode*> printed_values(const TemplateNode& action);

struct ValueRead {
    std::string path; // `metrics.port`
    enum class Found : std::uint8_t { defined, missing, unclear } found = Found::unclear;
    const ValueOrigin* parent = nullptr; // of the deepest table that is there
};
// Follows the names of a node below `.Values` of the chart that `dot` is the scope of.
ValueRead read_value(ValueArena& arena, const TemplateNode& node, const GoValue& dot, const GoValue& root);

} // namespace lockstep

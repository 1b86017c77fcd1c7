// Flux as charts of this tree would install it: which of its controllers are among what is rendered.
#pragma once
#include "rules/check.h"

namespace lockstep {

struct FluxChart;

// Controllers that a rendering leaves out, or keeps with no replicas. What values switch off by name is told elsewhere.
void judge_rendered_flux(const CheckInput& input, const std::vector<FluxChart>& charts, RuleOutcome& outcome);

} // namespace lockstep

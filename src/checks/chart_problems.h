// Why charts of this tree do not render: with the values of their releases, and with their own where none is here.
#pragma once
#include "deploy/fleet.h"
#include "deploy/rendered_chart.h"
#include "rules/check.h"

namespace lockstep {

enum class ProblemKind : std::uint8_t {
    broken,   // a template that does not parse, or asks for what is not there
    nil_path, // a path through a value that is not there
    schema,
    other,
};
ProblemKind kind_of(const RenderProblem& problem);

struct ChartProblem {
    EntityId chart = no_entity;
    const RenderedChart& rendered;
    const RenderProblem& problem;
    const ReleaseRow* release = nullptr; // none: with the chart's own values
    bool met = true;                     // else it is in a branch that did not run
};

// Judges all problems of one kind: each is a finding on its own line, once, however many releases meet it.
// `severity` for releases; with a chart's own values it is a warning at most.
void report_problems(const CheckInput& input, ProblemKind kind, RuleOutcome& outcome);

} // namespace lockstep

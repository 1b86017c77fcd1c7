// Why charts of this tree do not render: with the values of their releases, and with their own where none is here.
#pragma once
#include "deploy/fleet.h"
#include "deploy/rendered_chart.h"

namespace lockstep {

enum class ProblemKind : std::uint8_t {
    parse,     // a template that does not parse
    undefined, // it asks for a template or a function that is not there
    path,      // a path through a value that is not there
    schema,
    render, // anything else
};
ProblemKind kind_of(const RenderProblem& problem);

struct ChartProblem {
    EntityId chart = no_entity;
    const RenderedChart& rendered;
    const RenderProblem& problem;
    const ReleaseRow* release = nullptr; // none: with the chart's own values
    bool met = true;                     // else it is in a branch that did not run
};

} // namespace lockstep

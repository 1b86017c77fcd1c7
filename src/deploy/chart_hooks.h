// Hooks of charts of this tree, as they are rendered.
#pragma once
#include "deploy/rendered_chart.h"
#include "deploy/repository.h"
#include <functional>

namespace lockstep {

struct ChartHook {
    EntityId chart = no_entity;
    const Value& tree; // with places
    const RenderedDocument& document;
};

// Each hook of each chart, once.
void each_hook(const Repository& repository, const std::function<void(const ChartHook&)>& visit);

} // namespace lockstep

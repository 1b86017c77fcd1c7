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
    const RenderedChart& rendered; // all of what it is a part of
};

// The tree of a rendered document, with places; nullptr when it is none. Into the memory of the caller.
Value* tree_of_document(const RenderedDocument& document, Arena& arena);
// Each hook of each chart, once.
void each_hook(const Repository& repository, const std::function<void(const ChartHook&)>& visit);

} // namespace lockstep

// Parts of a chart's template that are rendered only on some clusters: between `if` and `end` of a condition that asks
// the cluster or compares versions. What is there is nothing to be sure of.
#pragma once
#include "base/span.h"
#include <string_view>
#include <vector>

namespace lockstep {

class TemplateGuards {
public:
    explicit TemplateGuards(std::string_view text);
    bool covers(std::uint32_t offset) const;

private:
    std::vector<Span> parts_; // sorted, apart
};

} // namespace lockstep

// The `catalystBlueprint.upstream` block of values.yaml files: what a blueprint's chart says it wraps.
#pragma once
#include "rules/check.h"
#include <map>

namespace lockstep {

struct Mirror {
    Cell chart, version, repo;
    Place place;
    std::size_t filled() const {
        std::size_t count = 0;
        for (const Cell* cell : {&chart, &version, &repo})
            count += is_set(*cell) && !cell->text.empty() ? 1 : 0;
        return count;
    }
    bool complete() const { return filled() == 3; }
    bool templated() const {
        return chart.state == State::templated || version.state == State::templated || repo.state == State::templated;
    }
};

using Mirrors = std::map<std::string, Mirror>; // by folder of the chart

// From the rows of the fact `mirror`.
Mirrors read_mirrors(const CheckInput& input);

} // namespace lockstep

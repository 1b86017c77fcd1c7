// Dependencies of charts that mean a chart of this tree.
#include "index/relations.h"
#include "relations/relation.h"

namespace lockstep::dependency_to_chart {
namespace {

void fill(const RelationInput& input, RelationRows& rows) {
    for (Row& row : local_dependencies(input.repository.index).rows)
        rows.add(std::move(row));
}

} // namespace

constexpr Relation relation{"dependency-to-chart",
                            "chart chart_version dependency version repository local_version local_dir tree", "", fill};

} // namespace lockstep::dependency_to_chart

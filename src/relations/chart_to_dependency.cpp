// Dependencies of charts, as asked for, locked and vendored.
#include "index/relations.h"
#include "relations/relation.h"

namespace lockstep::chart_to_dependency {
namespace {

void fill(const RelationInput& input, RelationRows& rows) {
    for (Row& row : dependencies_of_charts(input.repository.index).rows)
        rows.add(std::move(row));
}

} // namespace

constexpr Relation relation{
    "chart-to-dependency",
    "chart chart_version dependency version repository alias locked_version vendored_version vendored_app_version", "",
    fill};

} // namespace lockstep::chart_to_dependency

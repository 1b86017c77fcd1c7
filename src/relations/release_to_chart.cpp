// HelmReleases, each with the chart it installs.
#include "index/relations.h"
#include "relations/relation.h"

namespace lockstep::release_to_chart {
namespace {

void fill(const RelationInput& input, RelationRows& rows) {
    for (Row& row : releases_with_charts(input.repository.index).rows)
        rows.add(std::move(row));
}

} // namespace

constexpr Relation relation{"release-to-chart",
                            "release namespace chart version chart_version chart_dir source_kind source_url own tree",
                            "", fill};

} // namespace lockstep::release_to_chart

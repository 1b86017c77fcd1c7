// The index's edges as tables, for rules that say `relation: NAME`. Every cell has the place of its value; the cells
// `own` and `tree` and the kinds have the place of the row's anchor.
//
// release-to-chart: one row per HelmRelease that is a whole declaration
//   release        its name                      namespace      its namespace
//   chart          chart name as pulled          version        the pin: of the release, its HelmChart or OCIRepository
//   chart_version  version of the local chart    chart_dir      its folder          (both absent when not own or not
//   here) source_kind    kind of the source            source_url     its url own            true or false: own
//   registry   tree           cluster tree, may be empty
//
// dependency-to-chart: one row per chart dependency that means a local chart, or one that ought to be here
//   chart, chart_version       the chart that depends
//   dependency, version        what it asks for
//   repository                 as written
//   local_version, local_dir   the local chart (absent when it is not in the tree)
//   tree
//
// chart-to-dependency: one row per chart dependency
//   chart, chart_version, dependency, version, repository, alias
//   locked_version             from Chart.lock
//   vendored_version, vendored_app_version    from charts/, folder or archive
#pragma once
#include "base/table.h"
#include "index/index.h"

namespace lockstep {

Table releases_with_charts(const Index& index);
Table local_dependencies(const Index& index);
Table dependencies_of_charts(const Index& index);

// `path#Kind/namespace/name`, what a finding about an object is called; stable against moved lines.
std::string subject_of(const Index& index, const Object& object);
// `chart/Chart.yaml#dependencies[name=redis]`, of an entry in one of a chart's lists.
std::string subject_in_chart(const Index& index, const Chart& chart, std::string_view list, const std::string& name);

} // namespace lockstep

// Dependencies of charts, as asked for, locked, vendored, and as the chart of this tree that they mean.
#include "base/semver.h"
#include "index/cells.h"
#include "index/pin_order.h"
#include "index/relations.h"
#include "relations/relation.h"
#include <algorithm>

namespace lockstep::chart_to_dependency {
namespace {

std::string_view word_of(PinOrder order) {
    switch (order) {
    case PinOrder::same:
        return "same";
    case PinOrder::ahead:
        return "ahead";
    case PinOrder::behind:
        return "behind";
    case PinOrder::outside:
        return "outside";
    case PinOrder::floating:
        break;
    }
    return "floating";
}

// How the version that is asked for stands to the one of the chart in the tree; nothing where that is not known.
void compare_with_local(const Index& index, const DependencyEdge& edge, const Cell& pin, NewRow& row) {
    const Chart& local = index.charts[edge.local];
    row.set("local_chart", local.name).set("local_dir", local.dir, local.place).set("local_version", local.version);
    row.set("source", local.dir);
    if (!is_known(local.version) || !parse_version(local.version.text)) {
        row.set("doubt", "the version of " + local.name.text + " is not known");
        return;
    }
    PinOrder order = is_known(pin) ? pin_order(pin, local.version) : PinOrder::floating;
    if (order != PinOrder::same && !edge.by_file) {
        if (is_known(pin) && any_namesake_fits(index, local, pin))
            order = PinOrder::same;
        else if (is_stamped_later(index, local.version))
            row.set("doubt", "the chart's version is stamped when it is published");
    }
    row.set("order", std::string(word_of(order)));
}

void fill(const RelationInput& input, RelationRows& rows) {
    const Index& index = input.repository.index;
    Table known = dependencies_of_charts(index);
    std::size_t next = 0;
    for (const DependencyEdge& edge : index.dependency_edges) {
        Row& old = known.rows[next++];
        const Chart& chart = index.charts[edge.chart];
        const ChartDependency& dependency = chart.dependencies[edge.dependency];
        const Cell& pin = dependency.version;
        NewRow row = rows.start(old.anchor, std::move(old.subject));
        for (std::size_t i = 0; i < known.columns.size(); ++i)
            row.set(known.columns[i], std::move(old.cells[i]));
        if (is_set(pin) && !pin.text.empty()) row.set("asked", pin);
        row.set("packed", chart.subchart ? "yes" : "no").set("own", edge.own ? "yes" : "no");
        row.set("by", edge.by_file ? "file" : "registry");
        const auto range = Range::parse(pin.text);
        Cell exact{State::known, range && range->is_exact() ? "yes" : "no", pin.place};
        if (pin.state == State::templated) exact.state = State::templated;
        row.set("exact", std::move(exact));
        const bool flux = std::any_of(chart.dependencies.begin(), chart.dependencies.end(),
                                      [](const ChartDependency& one) { return one.name.text == "flux2"; });
        row.set("beside_flux", flux ? "yes" : "no");
        const std::string& where = dependency.repository.text;
        if (!is_known(dependency.name) || pin.state == State::templated)
            row.set("doubt", "a templated value");
        else if (is_known(pin) && pin.text.empty())
            row.set("doubt", "no version is asked for");
        else if (edge.local == no_entity && edge.by_file && where.find("{{") != std::string::npos)
            row.set("doubt", "a templated folder");
        else if (edge.local != no_entity)
            compare_with_local(index, edge, pin, row);
        else
            row.set("source", "absent " + dependency.name.text + " " + where);
        rows.add(std::move(row));
    }
}

} // namespace

constexpr Relation relation{"chart-to-dependency",
                            "chart chart_version dependency version repository alias locked_version vendored_version "
                            "vendored_app_version asked exact beside_flux packed own by local_chart local_dir "
                            "local_version order source doubt",
                            "", fill};

} // namespace lockstep::chart_to_dependency

// Top keys of a chart's own values that nothing of the chart reads.
#include "deploy/nodes.h"
#include "index/cells.h"
#include "index/side_paths.h"
#include "index/value_reads.h"
#include "rules/check.h"

namespace lockstep::value_never_read {
namespace {

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;
    Nodes nodes(input.repository);
    ChartReads charts(input.repository.index, input.texts());
    for (EntityId id = 0; id < index.charts.size(); ++id) {
        const Chart& chart = index.charts[id];
        const auto file = tree.find(chart.dir.empty() ? "values.yaml" : chart.dir + "/values.yaml");
        if (chart.subchart || !file || is_side_path(index, chart.file)) continue;
        const auto& documents = nodes.view(*file).documents;
        if (documents.empty() || !documents.front().root) continue;
        const ValueReads& reads = charts.of(id);
        for (const NodeRef::Entry& entry : documents.front().root.entries()) {
            const std::string key(entry.key.text());
            const Place place = place_of(*file, entry.key);
            const std::string subject = tree.files[*file].path + ":" + key;
            if (reads.keys.count(key) || key == "catalystBlueprint" || key.starts_with("x-")) {
                outcome.pass(place, subject); // a mirror is read by rules, `x-` holds anchors
            } else if (!reads.unsure.empty()) {
                outcome.undecided(place, subject, reads.unsure);
            } else {
                Finding finding;
                finding.message = "no template of chart " + chart.name.text + " reads its default value `" + key + "`";
                finding.place = place;
                outcome.fail(subject, std::move(finding));
            }
        }
    }
}

} // namespace

constexpr NativeCheck check{run, "helpers"};

} // namespace lockstep::value_never_read

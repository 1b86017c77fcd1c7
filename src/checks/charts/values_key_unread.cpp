// Top keys of a HelmRelease's values that nothing of its chart reads: no template, no dependency. Only for charts of
// this tree whose templates say plainly what they read.
#include "base/semver.h"
#include "deploy/fleet.h"
#include "deploy/flux_spec.h"
#include "index/cells.h"
#include "index/pin_order.h"
#include "index/relations.h"
#include "index/text_search.h"
#include "index/value_reads.h"
#include "rules/check.h"

namespace lockstep::values_key_unread {
namespace {

// Everything in it is off or empty: without it nothing would be different.
bool is_off(const Value* value) {
    if (!value || value->is_null()) return true;
    if (value->is_scalar()) return value->text.empty() || value->text == "false" || value->text == "no";
    if (value->is_sequence()) return value->size() == 0;
    for (std::size_t i = 0; i < value->size(); ++i)
        if (!is_off(value->value_at(i))) return false;
    return true;
}

struct Unread {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Index& index = input.repository.index;
    const Tree& tree = *input.repository.tree;
    ChartReads charts{input.repository.index, input.texts()};

    // The chart in the tree is not the one that is installed.
    bool is_another_version(EntityId id, const Chart& chart) const {
        const ReleaseEdges& edges = index.release_edges[id];
        const std::string& kind = edges.source == no_entity ? "" : index.sources[edges.source].kind;
        if (kind == "GitRepository" || kind == "Bucket") return false;
        return !is_known(edges.version) || !is_known(chart.version) ||
               pin_order(edges.version, chart.version) != PinOrder::same;
    }

    void judge(EntityId id) {
        const HelmRelease& release = index.releases[id];
        const Object& object = index.objects[release.object];
        if (object.partial || object.as_patch || index.release_edges[id].chart == no_entity) return;
        const EntityId chart_id = index.release_edges[id].chart;
        const Chart& chart = index.charts[chart_id];
        std::optional<ValueReads> own; // what the release's values read of one another
        auto reads_itself = [&](const std::string& key) {
            if (!own) take_reads(document_text(tree, object), own.emplace());
            return own->keys.count(key) != 0;
        };
        for (const Cell& key : release.value_keys) {
            const std::string subject = subject_of(index, object) + ":spec.values." + key.text;
            const ValueReads& reads = charts.of(chart_id);
            if (!is_known(key)) {
                outcome.undecided(key.place, subject, "a templated key");
            } else if (reads.keys.count(key.text)) {
                outcome.pass(key.place, subject);
            } else if (!reads.unsure.empty()) {
                outcome.undecided(key.place, subject, reads.unsure);
            } else if (is_another_version(id, chart)) {
                outcome.undecided(key.place, subject, "the release is pinned to another version of the chart");
            } else if (reads_itself(key.text)) {
                outcome.undecided(key.place, subject, "other values refer to it");
            } else {
                Finding finding;
                finding.rule = input.rule.id;
                finding.severity = input.rule.severity;
                std::string dependencies;
                for (const ChartDependency& dependency : chart.dependencies)
                    dependencies += (dependencies.empty() ? "" : ", ") +
                                    (is_set(dependency.alias) ? dependency.alias.text : dependency.name.text);
                finding.message =
                    "no template of chart " + chart.name.text + " reads the value `" + key.text + "`" +
                    (dependencies.empty() ? "" : "; its dependencies read only what is below " + dependencies);
                finding.place = key.place;
                finding.related.push_back({chart.name.place, "the chart"});
                const Value* written = fleet_of(input.repository).declared_tree(release.object);
                if (is_off(value_at(written, {"spec", "values", key.text}))) finding.severity = Severity::note;
                finding.cause = "chart " + chart.dir + " " + key.text;
                outcome.fail(subject, std::move(finding));
            }
        }
    }
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    Unread unread{input, outcome};
    for (EntityId id = 0; id < input.repository.index.releases.size(); ++id)
        unread.judge(id);
}

} // namespace

constexpr NativeCheck check{run, "helpers"};

} // namespace lockstep::values_key_unread

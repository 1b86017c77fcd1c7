// Top keys of values, and whether anything of the chart reads them: those of a chart's own values.yaml, and those that
// HelmReleases set.
#include "base/semver.h"
#include "deploy/fleet.h"
#include "deploy/flux_spec.h"
#include "deploy/nodes.h"
#include "index/cells.h"
#include "index/pin_order.h"
#include "index/relations.h"
#include "index/side_paths.h"
#include "index/text_search.h"
#include "index/value_reads.h"
#include "relations/relation.h"

namespace lockstep::values_read {
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

class Keys {
public:
    Keys(const RelationInput& input, RelationRows& rows)
        : repository_(input.repository), rows_(rows), charts_(index, input.texts) {}

    void of_chart(EntityId id) {
        const Chart& chart = index.charts[id];
        const auto file = tree.find(chart.dir.empty() ? "values.yaml" : chart.dir + "/values.yaml");
        if (chart.subchart || !file || is_side_path(index, chart.file)) return;
        const auto& documents = nodes_.view(*file).documents;
        if (documents.empty() || !documents.front().root) return;
        const ValueReads& reads = charts_.of(id);
        for (const NodeRef::Entry& entry : documents.front().root.entries()) {
            const std::string key(entry.key.text());
            NewRow row = rows_.start(place_of(*file, entry.key), tree.files[*file].path + ":" + key);
            row.set("side", "default").set("chart", chart.name).set("key", key);
            // A mirror is read by rules, `x-` holds anchors.
            const bool read = reads.keys.count(key) != 0 || key == "catalystBlueprint" || key.starts_with("x-");
            row.set("read", read ? "yes" : "no");
            if (!read && !reads.unsure.empty()) row.set("doubt", reads.unsure);
            rows_.add(std::move(row));
        }
    }

    void of_release(EntityId id) {
        const HelmRelease& release = index.releases[id];
        const Object& object = index.objects[release.object];
        if (object.partial || object.as_patch || index.release_edges[id].chart == no_entity) return;
        const EntityId chart_id = index.release_edges[id].chart;
        const Chart& chart = index.charts[chart_id];
        std::string dependencies;
        for (const ChartDependency& dependency : chart.dependencies)
            dependencies += (dependencies.empty() ? "" : ", ") +
                            (is_set(dependency.alias) ? dependency.alias.text : dependency.name.text);
        for (const Cell& key : release.value_keys) {
            NewRow row = rows_.start(key.place, subject_of(index, object) + ":spec.values." + key.text);
            const ValueReads& reads = charts_.of(chart_id);
            const bool read = is_known(key) && reads.keys.count(key.text) != 0;
            row.set("side", "release").set("chart", chart.name).set("chart_dir", chart.dir).set("key", key.text);
            row.set("read", read ? "yes" : "no");
            if (!dependencies.empty()) row.set("dependencies", dependencies);
            if (!is_known(key))
                row.set("doubt", "a templated key");
            else if (!read)
                doubt(id, chart, object, reads, key, row);
            rows_.add(std::move(row));
        }
    }

private:
    const Repository& repository_;
    const Index& index = repository_.index;
    const Tree& tree = *repository_.tree;

    void doubt(EntityId id, const Chart& chart, const Object& object, const ValueReads& reads, const Cell& key,
               NewRow& row) const {
        if (!reads.unsure.empty()) {
            row.set("doubt", reads.unsure);
        } else if (is_another_version(id, chart)) {
            row.set("doubt", "the release is pinned to another version of the chart");
        } else if (reads_itself(object, key.text)) {
            row.set("doubt", "other values refer to it");
        } else {
            const Value* written = fleet_of(repository_).declared_tree(index.releases[id].object);
            row.set("off", is_off(value_at(written, {"spec", "values", key.text})) ? "yes" : "no");
        }
    }

    // What the release's values read of one another.
    bool reads_itself(const Object& object, const std::string& key) const {
        ValueReads own;
        take_reads(document_text(tree, object), own);
        return own.keys.count(key) != 0;
    }

    // The chart in the tree is not the one that is installed.
    bool is_another_version(EntityId id, const Chart& chart) const {
        const ReleaseEdges& edges = index.release_edges[id];
        const std::string& kind = edges.source == no_entity ? "" : index.sources[edges.source].kind;
        if (kind == "GitRepository" || kind == "Bucket") return false;
        return !is_known(edges.version) || !is_known(chart.version) ||
               pin_order(edges.version, chart.version) != PinOrder::same;
    }

    RelationRows& rows_;
    Nodes nodes_ = Nodes(repository_);
    ChartReads charts_;
};

void fill(const RelationInput& input, RelationRows& rows) {
    Keys keys(input, rows);
    for (EntityId id = 0; id < input.repository.index.charts.size(); ++id)
        keys.of_chart(id);
    for (EntityId id = 0; id < input.repository.index.releases.size(); ++id)
        keys.of_release(id);
}

} // namespace

constexpr Relation relation{"values-read", "side chart chart_dir key read dependencies off doubt",
                            "**/templates/**/*.{tpl,txt}", fill};

} // namespace lockstep::values_read

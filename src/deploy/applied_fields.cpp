// Reads fields out of trees as they are applied.
#include "deploy/applied_fields.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

using Keys = std::initializer_list<std::string_view>;

class FieldReader {
public:
    FieldReader(const Instance& one, const Value* tree) : one_(one), tree_(tree) {}

    // A field that is not there is none: writing it is an addition.
    void add(AppliedField::Is is, std::string name, Keys keys) {
        if (Cell cell = cell_at(tree_, keys); is_set(cell)) put(is, std::move(name), std::move(cell), keys);
    }
    void put(AppliedField::Is is, std::string name, Cell cell, Keys keys) {
        const Value* value = value_at(tree_, keys);
        found.push_back({is, std::move(name), std::move(cell), value ? value->place : Place{}});
    }
    void add_source(const Value* reference) {
        const Reference to{
            cell_at(reference, {"kind"}), cell_at(reference, {"name"}), cell_at(reference, {"namespace"}), {}, {}, {}};
        if (!is_set(to.name)) return;
        Cell words = to.name;
        words.text = titled(to.kind.text, reference, to.name.text);
        const Place written = value_at(reference, {"name"})->place;
        found.push_back({AppliedField::Is::source, "source", std::move(words), written, to});
    }
    void add_waits() {
        const Value* all = value_at(tree_, {"spec", "dependsOn"});
        for (const Value* item : all ? all->items() : std::span<Value* const>()) {
            Cell name = cell_at(item, {"name"});
            if (!is_set(name)) continue;
            const Place written = value_at(item, {"name"})->place;
            std::string whom = titled(one_.id().kind, item, name.text);
            name.text.clear();
            found.push_back({AppliedField::Is::waits, std::move(whom), std::move(name), written});
        }
    }

    std::vector<AppliedField> found;

private:
    static std::string titled(std::string_view kind, const Value* reference, const std::string& name) {
        const Cell ns = cell_at(reference, {"namespace"});
        return std::string(kind) + " " + (is_set(ns) ? ns.text + "/" : "") + name;
    }

    const Instance& one_;
    const Value* tree_;
};

void read_source(std::string_view kind, FieldReader& reader) {
    using Is = AppliedField::Is;
    reader.add(Is::source, "url", {"spec", kind == "Bucket" ? "endpoint" : "url"});
    for (const char* field : {"tag", "semver", "branch", "commit", "digest"})
        reader.add(Is::pin, field, {"spec", "ref", field});
    reader.add(Is::pin, "ref", {"spec", "ref", "name"});
    reader.add(Is::pin, "version", {"spec", "version"});
    if (kind == "HelmChart") reader.add(Is::source, "chart", {"spec", "chart"});
}

Cell chart_version(const Index& index, const Fleet& fleet, const Instance& one, const Value* tree) {
    const Cell own = cell_at(tree, {"spec", "chart", "spec", "version"});
    if (is_set(own)) return own;
    const Cell kind = cell_at(tree, {"spec", "chartRef", "kind"}), name = cell_at(tree, {"spec", "chartRef", "name"}),
               ns = cell_at(tree, {"spec", "chartRef", "namespace"});
    if (!is_set(name)) return own;
    for (const std::uint32_t number : fleet.find(fleet.root_of(one).cluster, flux_source_group, kind.text,
                                                 is_set(ns) ? std::string_view(ns.text) : one.id().ns, name.text)) {
        Arena arena;
        const Value* source = fleet.tree_of(fleet.instances[number], arena);
        for (const Cell& pin : {cell_at(source, {"spec", "version"}), cell_at(source, {"spec", "ref", "tag"}),
                                cell_at(source, {"spec", "ref", "semver"})})
            if (is_set(pin)) return pin;
        return own;
    }
    // The source is not among what this cluster gets from here: as it is written somewhere.
    const ReleaseRow* row = fleet.release_of(static_cast<std::uint32_t>(&one - fleet.instances.data()));
    return row && row->declared != no_entity ? index.release_edges[row->declared].version : own;
}

} // namespace

std::vector<AppliedField> applied_fields(const Index& index, const Fleet& fleet, const Instance& one,
                                         const Value* tree) {
    using Is = AppliedField::Is;
    FieldReader reader(one, tree);
    const ResourceId& id = one.id();
    if (id.group == "helm.toolkit.fluxcd.io" && id.kind == "HelmRelease") {
        reader.put(Is::pin, "version", chart_version(index, fleet, one, tree), {"spec", "chart", "spec", "version"});
        reader.add(Is::source, "chart", {"spec", "chart", "spec", "chart"});
        const Value* by_reference = value_at(tree, {"spec", "chartRef"});
        reader.add_source(by_reference ? by_reference : value_at(tree, {"spec", "chart", "spec", "sourceRef"}));
        reader.add_waits();
    } else if (id.group == "kustomize.toolkit.fluxcd.io" && id.kind == "Kustomization") {
        reader.add(Is::source, "path", {"spec", "path"});
        reader.add_source(value_at(tree, {"spec", "sourceRef"}));
        reader.add_waits();
    } else if (id.group == flux_source_group) {
        read_source(id.kind, reader);
    }
    return std::move(reader.found);
}

std::map<std::string, std::vector<AppliedValue>> applied_values(const Index& index, const Fleet& fleet,
                                                                EntityId object) {
    std::map<std::string, std::vector<AppliedValue>> values;
    for (const std::uint32_t number : fleet.of_object(object)) {
        const Instance& one = fleet.instances[number];
        if (fleet.certainty_of(one) == Certainty::loose || fleet.applied_again_as(one) != no_number) continue;
        const std::string& cluster = fleet.clusters[fleet.root_of(one).cluster].name;
        Arena arena;
        const Value* tree = fleet.tree_of(one, arena);
        for (AppliedField& field : tree ? applied_fields(index, fleet, one, tree) : std::vector<AppliedField>()) {
            if (field.is == AppliedField::Is::waits) continue;
            std::vector<AppliedValue>& all = values[field.name];
            auto known = std::find_if(all.begin(), all.end(), [&](const AppliedValue& value) {
                return value.field.cell.text == field.cell.text && value.field.cell.state == field.cell.state;
            });
            if (known == all.end()) known = all.insert(known, {std::move(field)});
            if (std::find(known->clusters.begin(), known->clusters.end(), cluster) == known->clusters.end())
                known->clusters.push_back(cluster);
        }
    }
    return values;
}

} // namespace lockstep

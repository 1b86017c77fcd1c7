// Instances into rows of the relation object-to-applier. What nothing applies has one row without an applier.
#include "deploy/applier_rows.h"
#include "index/cells.h"
#include "index/relations.h"
#include <set>

namespace lockstep {
namespace {

struct DirectApplier {
    std::string_view by;
    std::string name;
    Place place;
    friend bool operator<(const DirectApplier& a, const DirectApplier& b) {
        return std::tie(a.by, a.name, a.place) < std::tie(b.by, b.name, b.place);
    }
};

DirectApplier applier_of(const Index& index, const Fleet& fleet, const Instance& one) {
    const Root& root = fleet.root_of(one);
    if (root.by == Root::By::given)
        return {"bootstrap", index.tree->files[one.resource.document.file].path, one.resource.document};
    const Via* last = one.resource.via;
    while (last && last->below)
        last = last->below;
    if (last && last->kustomization != no_file)
        return {"kustomization", index.tree->files[last->kustomization].path, last->entry};
    if (root.by == Root::By::flux) return {"flux", root.ns + "/" + root.name, root.place};
    return {"kustomization", root.dir, root.place};
}

} // namespace

std::vector<Row> applier_rows(const Index& index, const Fleet& fleet) {
    std::vector<Row> rows;
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (object.partial || object.as_patch || object.group == "kustomize.config.k8s.io") continue;
        std::set<DirectApplier> appliers;
        for (std::uint32_t number : fleet.of_object(id))
            if (const Instance& one = fleet.instances[number];
                fleet.certainty_of(one) != Certainty::loose && !fleet.root_of(one).is_rendered())
                appliers.insert(applier_of(index, fleet, fleet.instances[number]));
        if (appliers.empty() && object.bootstrap)
            appliers.insert({"bootstrap", index.tree->files[object.file].path, object.outer});
        if (object.in_templates)
            if (const auto chart = index.chart_by_dir.find(object.chart); chart != index.chart_by_dir.end()) {
                const Chart& found = index.charts[chart->second];
                appliers.insert({"helm", index.tree->files[found.file].path, found.name.place});
            }
        Row row;
        row.anchor = is_set(object.name) ? object.name.place : object.kind.place;
        row.subject = subject_of(index, object);
        const Cell none{State::absent, {}, row.anchor};
        row.cells = {object.kind, object.ns, object.name,
                     none,        none,      {State::known, tree_of(index, object), row.anchor}};
        for (const DirectApplier& applier : appliers) {
            row.cells[3] = {State::known, std::string(applier.by), applier.place};
            row.cells[4] = {State::known, applier.name, applier.place};
            rows.push_back(row);
        }
        if (appliers.empty()) rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace lockstep

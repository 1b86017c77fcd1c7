// Deployments that a kustomization applies, with their strategy and the force mark that lets Flux get over what a live
// one still has.
#include "deploy/force_mark.h"
#include "deploy/recreate.h"
#include "index/cells.h"
#include "index/relations.h"
#include "relations/relation.h"

namespace lockstep::recreated_deployments {
namespace {

// The first of its chains that has no mark, or why nobody knows.
void look(const Fleet& fleet, const Instance& one, bool& found, std::string& doubt, NewRow& row) {
    const Value* tree = fleet.tree_of(one);
    const Cell type = strategy_of(tree);
    if (type.state == State::templated) doubt = "the strategy is templated";
    std::string unsure;
    if (!is_recreate(type) || is_forced(fleet, one, unsure)) return;
    if (!unsure.empty()) {
        doubt = unsure;
        return;
    }
    const ForceMark mark = force_mark(tree);
    const bool other = mark.says == ForceMark::Says::other;
    const std::string_view says = other ? "this value counts" : "the annotation belongs here";
    if (!found) {
        row.set("strategy", type).set("forced", "no").set("live_name", std::string(one.id().name));
        if (other) row.set("mark", mark.cell);
    } else {
        row.also(type.place, "the same here");
    }
    found = true;
    row.also(mark.cell.place, std::string(says));
    if (is_there(one.resource.entry)) row.also(one.resource.entry, "applied by kustomize from here");
}

void fill(const RelationInput& input, RelationRows& rows) {
    const Index& index = input.repository.index;
    if (!uses_flux(index)) return; // kubectl and Argo CD do not know the annotation
    const Fleet& fleet = fleet_of(input.repository);
    const RecreateSearch strategies(*input.repository.tree);
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (!is_object(object, "apps", "Deployment") || !is_declared(object) || is_controller_of_flux(object)) continue;
        const auto instances = fleet.applied_by_kustomize(id);
        if (instances.empty()) continue;
        NewRow row = rows.start(object.name.place, subject_of(index, object));
        row.set("name", object.name).set("in_chart", object.in_templates ? "yes" : "no");
        bool found = false;
        std::string doubt;
        if (strategies.may_recreate(object))
            for (std::uint32_t number : instances)
                look(fleet, fleet.instances[number], found, doubt, row);
        if (!found && !doubt.empty()) row.set("doubt", doubt);
        rows.add(std::move(row));
    }
}

} // namespace

constexpr Relation relation{"recreated-deployments", "name live_name in_chart strategy forced mark doubt", "", fill};

} // namespace lockstep::recreated_deployments

// Looks for marks in what clusters get.
#include "checks/forced_deployments.h"
#include "index/cells.h"
#include "index/relations.h"
#include "index/text_search.h"

namespace lockstep {

void each_forced(const CheckInput& input, Nodes& nodes, RuleOutcome& outcome,
                 const std::function<void(const Forced&)>& judge) {
    if (!is_mentioned(*input.repository.tree, force_key)) return;
    const Index& index = input.repository.index;
    const Fleet& fleet = fleet_of(input.repository);
    const ServiceSelection selection(input.repository, nodes);
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (!is_object(object, "apps", "Deployment") || !is_declared(object)) continue;
        for (std::uint32_t number : fleet.applied_by_kustomize(id)) {
            const Value* tree = fleet.tree_of(fleet.instances[number]);
            ForceMark mark = force_mark(tree);
            if (mark.says == ForceMark::Says::unsure && is_set(mark.cell)) {
                outcome.undecided(mark.cell.place, subject_of(index, object), mark.why);
                break;
            }
            if (mark.says != ForceMark::Says::enabled) continue;
            judge(Forced{object, tree, std::move(mark), selection.selecting(object)});
            break;
        }
    }
}

void relate_services(const Forced& forced, Finding& finding) {
    for (const SelectingService* service : forced.services)
        if (is_there(service->place) && finding.related.size() < most_related)
            finding.related.push_back({service->place, "this Service selects its pods"});
}

} // namespace lockstep

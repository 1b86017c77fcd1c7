// Deployments with strategy Recreate and without the force mark that lets Flux get over rolling fields of a live
// object.
#include "checks/chain_verdicts.h"
#include "checks/recreate.h"
#include "deploy/force_mark.h"
#include "index/cells.h"
#include "index/relations.h"
#include "rules/check.h"

namespace lockstep::recreate_without_force {
namespace {

void judge_force(const CheckInput& input, const Fleet& fleet, const Object& object, const Instance& one,
                 ChainVerdicts& verdicts) {
    const Value* tree = fleet.tree_of(one);
    const Cell type = strategy_of(tree);
    if (type.state == State::templated) verdicts.undecided = "the strategy is templated";
    std::string unsure;
    if (!is_recreate(type) || is_forced(fleet, one, unsure)) return;
    if (!unsure.empty()) {
        verdicts.undecided = unsure;
        return;
    }
    const ForceMark mark = force_mark(tree);
    const bool other = mark.says == ForceMark::Says::other;
    Finding finding;
    finding.message = "Deployment " + std::string(one.id().name) + " has strategy Recreate and " +
                      (other ? std::string(force_key) + " is `" + mark.cell.text + "`, not `enabled`"
                             : "no annotation " + std::string(force_key) + ": enabled") +
                      "; over a live one that rolled before, every apply is refused";
    finding.place = type.place;
    finding.related.push_back({mark.cell.place, other ? "this value counts" : "the annotation belongs here"});
    if (is_there(one.resource.entry)) finding.related.push_back({one.resource.entry, "applied by kustomize from here"});
    finding.rule = input.rule.id;
    finding.severity = input.catalyst && object.in_templates ? Severity::error : input.rule.severity;
    verdicts.findings.push_back(std::move(finding));
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    if (!uses_flux(index)) return; // kubectl and Argo CD do not know the annotation
    const Fleet& fleet = fleet_of(input.repository);
    const RecreateSearch strategies(*input.repository.tree);
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (!is_object(object, "apps", "Deployment") || !is_declared(object) || is_controller_of_flux(object)) continue;
        const auto instances = fleet.applied_by_kustomize(id);
        if (instances.empty()) continue;
        ChainVerdicts verdicts;
        if (strategies.may_recreate(object))
            for (std::uint32_t number : instances)
                judge_force(input, fleet, object, fleet.instances[number], verdicts);
        verdicts.report(outcome, subject_of(index, object), object.name.place);
    }
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::recreate_without_force

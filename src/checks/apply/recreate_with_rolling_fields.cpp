// Deployments with strategy Recreate that have rolling fields beside it.
#include "checks/chain_verdicts.h"
#include "deploy/force_mark.h"
#include "deploy/identities.h"
#include "deploy/recreate.h"
#include "index/cells.h"
#include "index/relations.h"
#include "index/text_search.h"
#include "rules/check.h"

namespace lockstep::recreate_with_rolling_fields {
namespace {

// A template with two branches has the key twice.
bool has_branches(const Value& strategy) {
    int types = 0;
    for (std::size_t i = 0; strategy.is_mapping() && i < strategy.size(); ++i)
        types += strategy.key_at(i)->text == "type";
    return types > 1;
}

// `rollingUpdate: null` is right; kustomize takes it out of what it builds.
void judge_fields(std::string_view name, const Value* tree, Place entry, ChainVerdicts& verdicts) {
    const Cell type = strategy_of(tree);
    const Value* strategy = value_at(tree, {"spec", "strategy"});
    const Value* rolling = strategy ? strategy->get("rollingUpdate") : nullptr;
    if (!rolling || rolling->is_null()) return;
    if (has_branches(*strategy)) {
        verdicts.undecided = "a condition of the template decides";
        return;
    }
    const Place place = decided_at(*strategy->get_key("rollingUpdate"));
    if (type.state == State::templated) verdicts.undecided = "the strategy is templated";
    if (!is_recreate(type)) return;
    if (rolling->is_scalar() && rolling->unknown) {
        verdicts.undecided = "the rolling fields are templated";
        return;
    }
    Finding finding;
    const bool merged = type.place.file != place.file;
    finding.message = "Deployment " + std::string(name) + " has strategy Recreate and rollingUpdate " +
                      (merged ? "after all is merged" : "beside it") + ": the API server refuses both together";
    finding.place = place;
    if (merged) {
        finding.place = type.place;
        finding.related.push_back({place, "rollingUpdate comes from here and is not set to null"});
        if (is_there(entry)) finding.related.push_back({entry, "merged on the way up from here"});
    } else {
        finding.related.push_back({type.place, "the strategy"});
    }
    verdicts.findings.push_back(std::move(finding));
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Fleet& fleet = fleet_of(input.repository);
    const RecreateSearch strategies(*input.repository.tree);
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (!is_object(object, "apps", "Deployment") || !is_declared(object)) continue;
        ChainVerdicts verdicts;
        if (!strategies.may_recreate(object)) {
            outcome.pass(object.name.place, subject_of(index, object));
            continue;
        }
        Arena arena;
        if (fleet.of_object(id).empty() && holds(document_text(*input.repository.tree, object), "rollingUpdate"))
            judge_fields(object.name.text, fleet.declared_tree(id, arena), {}, verdicts);
        for (std::uint32_t number : fleet.applied(id))
            judge_fields(fleet.instances[number].id().name, fleet.tree_of(fleet.instances[number], arena),
                         fleet.instances[number].resource.entry, verdicts);
        verdicts.report(outcome, subject_of(index, object), object.name.place);
    }
    for (const Instance& one : fleet.instances) { // made by an include: no template shows it
        if (!fleet.is_rendered(one) || one.object != no_entity || one.id().kind != "Deployment" ||
            one.id().group != "apps" || fleet.certainty_of(one) != Certainty::proven)
            continue;
        Arena arena;
        ChainVerdicts verdicts;
        judge_fields(one.id().name, fleet.tree_of(one, arena), one.resource.entry, verdicts);
        verdicts.report(outcome, subject_of(index, one), place_of(index, one));
    }
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::recreate_with_rolling_fields

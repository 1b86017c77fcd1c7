// Deployments with strategy Recreate: rolling fields left beside it, and the force mark that lets Flux get over those
// which a live object still has.
#include "checks/chain_verdicts.h"
#include "checks/checks.h"
#include "deploy/force_mark.h"
#include "deploy/identities.h"
#include "index/cells.h"
#include "index/relations.h"
#include "index/text_search.h"

namespace lockstep {
namespace {

bool is_recreate(const Cell& type) {
    return is_known(type) && type.text == "Recreate";
}

Cell strategy_of(const Value* tree) {
    return cell_at(tree, {"spec", "strategy", "type"});
}

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

// Where the word stands nowhere, a file without templates needs no closer look.
class Strategies {
public:
    explicit Strategies(const Tree& tree) : tree_(tree), named_(is_mentioned(tree, "Recreate")) {}
    bool may_recreate(const Object& object) const { return named_ || may_be_filled_in(document_text(tree_, object)); }

private:
    const Tree& tree_;
    bool named_;
};

} // namespace

void check_recreate_without_force(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    if (!uses_flux(index)) return; // kubectl and Argo CD do not know the annotation
    const Fleet& fleet = fleet_of(input.repository);
    const Strategies strategies(*input.repository.tree);
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

void check_recreate_with_rolling(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Fleet& fleet = fleet_of(input.repository);
    const Strategies strategies(*input.repository.tree);
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

} // namespace lockstep

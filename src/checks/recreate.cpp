// Deployments with strategy Recreate: rolling fields left beside it, and the force mark that lets Flux get over those
// which a live object still has.
#include "checks/checks.h"
#include "checks/force.h"
#include "checks/mentions.h"
#include "checks/route_verdicts.h"
#include "index/cells.h"
#include "index/relations.h"

namespace lockstep {
namespace {

const FieldPath type_path = {"spec", "strategy", "type"};
const FieldPath rolling_path = {"spec", "strategy", "rollingUpdate"};

bool is_recreate(const Field& field) {
    return is_known(field.cell) && field.cell.text == "Recreate" && !field.gone;
}

void judge_force(const CheckInput& input, Overlay& overlay, const Object& object, const Route& route,
                 RouteVerdicts& verdicts) {
    const Index& index = input.repository.index;
    const Field type = overlay.look(object, route, type_path);
    if (type.cell.state == State::templated) verdicts.undecided = "the strategy is templated";
    if (!is_recreate(type)) return;
    const ForceMark mark = force_mark(overlay, object, route);
    if (mark.says == ForceMark::Says::enabled) return;
    if (route.flux != no_entity) {
        const Field whole = flux_force(overlay, index, route.flux);
        if (is_known(whole.cell) && whole.cell.text == "true") return;
    }
    if (mark.says == ForceMark::Says::unsure || !type.unsure.empty()) {
        verdicts.undecided = mark.says == ForceMark::Says::unsure ? mark.why : type.unsure;
        return;
    }
    if (!route.sure && route.kustomizations.empty()) {
        verdicts.undecided = "whether Flux applies this folder of this repository cannot be told";
        return;
    }
    const bool other = mark.says == ForceMark::Says::other;
    Finding finding;
    finding.message = "Deployment " + object.name.text + " has strategy Recreate and " +
                      (other ? std::string(force_key) + " is `" + mark.cell.text + "`, not `enabled`"
                             : "no annotation " + std::string(force_key) + ": enabled") +
                      "; over a live one that rolled before, every apply is refused";
    finding.place = type.cell.place;
    finding.related.push_back({mark.cell.place, other ? "this value counts" : "the annotation belongs here"});
    if (is_there(route.entry)) finding.related.push_back({route.entry, "applied by kustomize from here"});
    finding.rule = input.rule.id;
    finding.severity = input.catalyst && object.in_templates ? Severity::error : input.rule.severity;
    verdicts.findings.push_back(std::move(finding));
}

void judge_fields(const Object& object, const Field& type, const Field& rolling, Place entry, RouteVerdicts& verdicts) {
    if (!is_recreate(type) || rolling.cell.state == State::absent) {
        if (type.cell.state == State::templated && is_set(rolling.cell))
            verdicts.undecided = "the strategy is templated";
        return;
    }
    const bool unsure = !type.unsure.empty() || !rolling.unsure.empty() || rolling.cell.state == State::templated;
    if (unsure) {
        verdicts.undecided = type.unsure.empty() ? rolling.unsure : type.unsure;
        if (verdicts.undecided.empty()) verdicts.undecided = "the rolling fields are templated";
        return;
    }
    Finding finding;
    const bool merged = type.cell.place.file != rolling.cell.place.file;
    finding.message = "Deployment " + object.name.text + " has strategy Recreate and rollingUpdate " +
                      (merged ? "after its patches are merged" : "beside it") +
                      ": the API server refuses both together";
    finding.place = rolling.cell.place;
    if (merged) {
        finding.place = type.cell.place;
        finding.related.push_back({rolling.cell.place, "rollingUpdate comes from here and is not set to null"});
        if (is_there(entry)) finding.related.push_back({entry, "merged on the way up from here"});
    } else {
        finding.related.push_back({type.cell.place, "the strategy"});
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
    Overlay overlay(input.repository);
    const Strategies strategies(*input.repository.tree);
    for (const Object& object : index.objects) {
        if (!is_object(object, "apps", "Deployment") || !is_declared(input.repository, object)) continue;
        const std::vector<Route> routes = overlay.routes(object);
        if (routes.empty()) continue;
        RouteVerdicts verdicts;
        if (strategies.may_recreate(object))
            for (const Route& route : routes)
                judge_force(input, overlay, object, route, verdicts);
        verdicts.report(outcome, subject_of(index, object), object.name.place);
    }
}

void check_recreate_with_rolling(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    Overlay overlay(input.repository);
    const Strategies strategies(*input.repository.tree);
    for (const Object& object : index.objects) {
        if (!is_object(object, "apps", "Deployment") || !is_declared(input.repository, object)) continue;
        RouteVerdicts verdicts;
        if (!strategies.may_recreate(object)) {
            outcome.pass(object.name.place, subject_of(index, object));
            continue;
        }
        const std::vector<Route> routes = overlay.routes(object);
        if (routes.empty())
            judge_fields(object, overlay.own(object, type_path), overlay.own(object, rolling_path), {}, verdicts);
        for (const Route& route : routes)
            judge_fields(object, overlay.look(object, route, type_path), overlay.look(object, route, rolling_path),
                         route.entry, verdicts);
        verdicts.report(outcome, subject_of(index, object), object.name.place);
    }
}

} // namespace lockstep

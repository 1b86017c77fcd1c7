// A Deployment that rolled before this change and is to be Recreate after it: the live one keeps its rolling fields, so
// that only force gets the apply through.
#include "checks/applied.h"
#include "checks/checks.h"
#include "checks/route_verdicts.h"
#include "index/cells.h"
#include "index/relations.h"
#include <set>

namespace lockstep {
namespace {

const FieldPath type_path = {"spec", "strategy", "type"};

std::string strategy_of(const Field& field) {
    return is_known(field.cell) ? field.cell.text : "RollingUpdate"; // what the API server fills in
}

std::string unclear(const Field& field) {
    if (field.cell.state == State::templated) return "the strategy is templated";
    return field.unsure;
}

class FlipJudge {
public:
    FlipJudge(const CheckInput& input, AppliedObjects& base, AppliedObjects& head)
        : rule_(input.rule), base_(base), head_(head) {}

    void judge(const std::string& identity, const RoutedObject& now, RouteVerdicts& verdicts) {
        const Field type = head_.overlay().look(*now.object, now.route, type_path);
        std::set<std::string> before;
        std::string unsure = unclear(type);
        for (const RoutedObject* one : lockstep::before(base_, head_, identity, now)) {
            const Field old = base_.overlay().look(*one->object, one->route, type_path);
            if (old.gone) continue;
            if (unsure.empty()) unsure = unclear(old);
            before.insert(strategy_of(old));
        }
        // Back to rolling goes through: there is nothing left behind that the new strategy forbids.
        if (type.gone || before.empty() || !unsure.empty() || strategy_of(type) != "Recreate" ||
            before.contains("Recreate")) {
            if (!unsure.empty()) verdicts.undecided = unsure;
            if (before.size() > 1) verdicts.undecided = "before, its strategy differed from place to place";
            return;
        }
        if (is_left_alone(head_.overlay(), *now.object, now.route) || clears_rolling(now)) return;
        if (is_forced(head_.overlay(), head_.index(), now, unsure)) return;
        if (unsure.empty() && !now.route.sure && now.route.kustomizations.empty())
            unsure = "whether Flux applies this folder of this repository cannot be told";
        if (!unsure.empty()) {
            verdicts.undecided = unsure;
            return;
        }
        Finding finding;
        finding.rule = rule_.id;
        finding.severity = rule_.severity;
        finding.message = "this change flips Deployment " + now.object->name.text + " from " + *before.begin() +
                          " to Recreate without " + std::string(force_key) +
                          ": enabled; the live one keeps its rollingUpdate fields and every apply is refused";
        finding.place = type.cell.place;
        const ForceMark mark = force_mark(head_.overlay(), *now.object, now.route);
        const bool other = mark.says == ForceMark::Says::other;
        finding.related.push_back({mark.cell.place, other ? "this value counts" : "the annotation belongs here"});
        if (is_there(now.route.entry)) finding.related.push_back({now.route.entry, "applied by kustomize from here"});
        finding.replaces = {"recreate-without-force:" + subject_of(head_.index(), *now.object)};
        verdicts.findings.push_back(std::move(finding));
    }

private:
    // `rollingUpdate: null` may take the old fields away with it; then the snapshot rule has its say.
    bool clears_rolling(const RoutedObject& now) {
        const NodeRef strategy = node_at(head_.overlay().nodes().root(*now.object), {"spec", "strategy"});
        return strategy.get_key("rollingUpdate") && strategy.get("rollingUpdate").is_null();
    }

    const Rule& rule_;
    AppliedObjects& base_;
    AppliedObjects& head_;
};

} // namespace

void check_strategy_flip(const CheckInput& input, RuleOutcome& outcome) {
    if (!input.base || !uses_flux(input.repository.index)) return;
    auto wanted = [](const Object& object) { return is_object(object, "apps", "Deployment"); };
    AppliedObjects base(*input.base, wanted), head(input.repository, wanted);
    FlipJudge judge(input, base, head);
    std::map<const Object*, RouteVerdicts> verdicts; // objects stand in one vector: their order is the file order
    for (const auto& [identity, all] : head.by_identity())
        for (const RoutedObject& one : all)
            if (base.by_identity().contains(identity)) judge.judge(identity, one, verdicts[one.object]);
    for (auto& [object, verdict] : verdicts)
        verdict.report(outcome, subject_of(head.index(), *object), object->name.place);
}

} // namespace lockstep

// A Deployment that rolled before this change and is to be Recreate after it: the live one keeps its rolling fields, so
// that only force gets the apply through.
#include "checks/chain_verdicts.h"
#include "checks/checks.h"
#include "deploy/force_mark.h"
#include "deploy/identities.h"
#include "index/cells.h"
#include "index/relations.h"
#include <set>

namespace lockstep {
namespace {

std::string strategy_of(const Cell& type) {
    return is_known(type) ? type.text : "RollingUpdate"; // what the API server fills in
}

class FlipJudge {
public:
    FlipJudge(const CheckInput& input, const Identities& base, const Identities& head)
        : rule_(input.rule), index_(input.repository.index), base_(base), head_(head) {}

    void judge(const std::string& identity, const Instance& now, ChainVerdicts& verdicts) {
        const Value* tree = head_.fleet().tree_of(now);
        const Cell type = cell_at(tree, {"spec", "strategy", "type"});
        std::set<std::string> before;
        std::string unsure = type.state == State::templated ? "the strategy is templated" : "";
        for (std::uint32_t number : lockstep::before(base_, head_, identity, now)) {
            const Cell old = cell_at(base_.fleet().tree_of(base_.instance(number)), {"spec", "strategy", "type"});
            if (unsure.empty() && old.state == State::templated) unsure = "the strategy is templated";
            before.insert(strategy_of(old));
        }
        // Back to rolling goes through: there is nothing left behind that the new strategy forbids.
        if (before.empty() || !unsure.empty() || strategy_of(type) != "Recreate" || before.contains("Recreate")) {
            if (!unsure.empty()) verdicts.undecided = unsure;
            if (before.size() > 1) verdicts.undecided = "before, its strategy differed from place to place";
            return;
        }
        if (is_left_alone(tree) || clears_rolling(now) || is_forced(head_.fleet(), now, unsure)) return;
        if (unsure.empty() && head_.fleet().certainty_of(now) != Certainty::proven)
            unsure = head_.fleet().root_of(now).why;
        if (!unsure.empty()) {
            verdicts.undecided = unsure;
            return;
        }
        const Object& object = index_.objects[now.object];
        Finding finding;
        finding.rule = rule_.id;
        finding.severity = rule_.severity;
        finding.message = "this change flips Deployment " + object.name.text + " from " + *before.begin() +
                          " to Recreate without " + std::string(force_key) +
                          ": enabled; the live one keeps its rollingUpdate fields and every apply is refused";
        finding.place = type.place;
        const ForceMark mark = force_mark(tree);
        const bool other = mark.says == ForceMark::Says::other;
        finding.related.push_back({mark.cell.place, other ? "this value counts" : "the annotation belongs here"});
        if (is_there(now.resource.entry))
            finding.related.push_back({now.resource.entry, "applied by kustomize from here"});
        finding.replaces = {"recreate-without-force:" + subject_of(index_, object)};
        verdicts.findings.push_back(std::move(finding));
    }

private:
    // `rollingUpdate: null` may take the old fields away with it; then the snapshot rule has its say.
    bool clears_rolling(const Instance& now) {
        const Value* rolling = value_at(head_.fleet().declared_tree(now.object), {"spec", "strategy", "rollingUpdate"});
        return rolling && rolling->is_null();
    }

    const Rule& rule_;
    const Index& index_;
    const Identities& base_;
    const Identities& head_;
};

bool is_deployment(const Instance& one) {
    return one.object != no_entity && one.id().group == "apps" && one.id().kind == "Deployment";
}

} // namespace

void check_strategy_flip(const CheckInput& input, RuleOutcome& outcome) {
    if (!input.base || !uses_flux(input.repository.index)) return;
    const Identities base(fleet_of(*input.base), is_deployment), head(fleet_of(input.repository), is_deployment);
    FlipJudge judge(input, base, head);
    std::map<EntityId, ChainVerdicts> verdicts; // objects are numbered in file order
    for (const auto& [identity, all] : head.all())
        for (std::uint32_t number : all)
            // What only Helm applies goes through: its merge takes the old fields away.
            if (base.all().contains(identity) && !head.fleet().root_of(head.instance(number)).is_rendered())
                judge.judge(identity, head.instance(number), verdicts[head.instance(number).object]);
    for (auto& [id, verdict] : verdicts) {
        const Object& object = input.repository.index.objects[id];
        verdict.report(outcome, subject_of(input.repository.index, object), object.name.place);
    }
}

} // namespace lockstep

// A Deployment that rolled before this change and is to be Recreate after it: the live one keeps its rolling fields, so
// that only force gets the apply through.
#include "checks/chain_verdicts.h"
#include "deploy/force_mark.h"
#include "deploy/helm_apply.h"
#include "deploy/identities.h"
#include "index/cells.h"
#include "index/relations.h"
#include "rules/check.h"
#include <set>

namespace lockstep::strategy_flip {
namespace {

std::string strategy_of(const Cell& type) {
    return is_known(type) ? type.text : "RollingUpdate"; // what the API server fills in
}

class FlipJudge {
public:
    FlipJudge(const CheckInput& input, const Identities& base, const Identities& head)
        : rule_(input.rule), index_(input.repository.index), kubernetes_(input.config.kubernetes), base_(base),
          head_(head) {}

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
        const bool by_helm = head_.fleet().root_of(now).is_rendered();
        if (clears_rolling(now, tree)) return;
        if (!by_helm && (is_left_alone(tree) || is_forced(head_.fleet(), now, unsure))) return;
        const HelmApplies applies = by_helm ? how_helm_applies(now) : HelmApplies::server_side;
        if (applies == HelmApplies::client_side) return; // the merge of Helm 3 takes the old fields away
        if (applies == HelmApplies::unknown) unsure = "nothing says whether Helm applies it server-side";
        if (unsure.empty() && head_.fleet().certainty_of(now) != Certainty::proven)
            unsure = head_.fleet().root_of(now).why;
        if (!unsure.empty()) {
            verdicts.undecided = unsure;
            return;
        }
        verdicts.findings.push_back(by_helm ? of_release(now, *before.begin(), type, applies)
                                            : of_kustomization(now, *before.begin(), type, tree));
    }

private:
    Finding flipped(const Instance& now, const std::string& before, const Cell& type) const {
        Finding finding;
        finding.rule = rule_.id;
        finding.severity = rule_.severity;
        finding.message =
            "this change flips Deployment " + std::string(now.id().name) + " from " + before + " to Recreate ";
        finding.place = type.place;
        return finding;
    }

    Finding of_kustomization(const Instance& now, const std::string& before, const Cell& type,
                             const Value* tree) const {
        Finding finding = flipped(now, before, type);
        finding.message += "without " + std::string(force_key) +
                           ": enabled; the live one keeps its rollingUpdate fields and every apply is refused";
        const ForceMark mark = force_mark(tree);
        const bool other = mark.says == ForceMark::Says::other;
        finding.related.push_back({mark.cell.place, other ? "this value counts" : "the annotation belongs here"});
        if (is_there(now.resource.entry))
            finding.related.push_back({now.resource.entry, "applied by kustomize from here"});
        finding.replaces = {"recreate-without-force:" + subject_of(index_, index_.objects[now.object])};
        return finding;
    }

    Finding of_release(const Instance& now, const std::string& before, const Cell& type, HelmApplies applies) const {
        Finding finding = flipped(now, before, type);
        if (applies == HelmApplies::as_installed) {
            finding.severity = Severity::note;
            finding.message +=
                "in a release; where Flux 2.8 or later installed it, Helm applies it server-side, the live "
                "one keeps its rollingUpdate fields and the upgrade is refused";
        } else {
            finding.message += "in a release that is applied server-side; the live one keeps its rollingUpdate fields "
                               "and the upgrade is refused, unless spec.upgrade.serverSideApply is disabled for it";
        }
        const Value* value = value_at(head_.fleet().tree_of(now), {"spec", "strategy", "type"});
        if (value && is_there(decided_at(*value))) finding.place = decided_at(*value);
        if (value && is_there(value->place) && value->place != finding.place)
            finding.related.push_back({value->place, "rendered here"});
        const Cell asked = cell_at(release_tree(now), {"spec", "upgrade", "serverSideApply"});
        if (is_there(asked.place) && is_set(asked)) finding.related.push_back({asked.place, "applied server-side"});
        if (is_there(now.resource.entry)) finding.related.push_back({now.resource.entry, "applied from here"});
        return finding;
    }

    const Value* release_tree(const Instance& now) const {
        const Root& root = head_.fleet().root_of(now);
        return root.maker == no_number ? nullptr : head_.fleet().tree_of(head_.fleet().instances[root.maker]);
    }

    HelmApplies how_helm_applies(const Instance& now) const {
        const Value* release = release_tree(now); // none: nobody says who installs the chart
        if (!release) return HelmApplies::unknown;
        const Root& above = head_.fleet().root_of(head_.fleet().instances[head_.fleet().root_of(now).maker]);
        return helm_applies(release, cluster_versions(index_, head_.fleet().clusters[above.cluster].name, kubernetes_));
    }

    // `rollingUpdate: null` may take the old fields away with it; then the snapshot rule has its say.
    bool clears_rolling(const Instance& now, const Value* tree) const {
        const bool by_helm = head_.fleet().root_of(now).is_rendered();
        const Value* written = by_helm ? tree : head_.fleet().declared_tree(now.object);
        const Value* rolling = value_at(written, {"spec", "strategy", "rollingUpdate"});
        return rolling && rolling->is_null();
    }

    const Rule& rule_;
    const Index& index_;
    const std::string& kubernetes_;
    const Identities& base_;
    const Identities& head_;
};

bool is_deployment(const Instance& one) {
    return one.id().group == "apps" && one.id().kind == "Deployment";
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    if (!input.base || !uses_flux(input.repository.index)) return;
    const Identities base(fleet_of(*input.base), is_deployment), head(fleet_of(input.repository), is_deployment);
    FlipJudge judge(input, base, head);
    std::map<std::pair<EntityId, std::string>, ChainVerdicts> verdicts; // objects are numbered in file order
    std::map<std::string, Place> places;
    for (const auto& [identity, all] : head.all()) {
        if (!base.all().contains(identity)) continue;
        for (std::uint32_t number : all) {
            const Instance& one = head.instance(number);
            if (one.object == no_entity && !head.fleet().root_of(one).is_rendered()) continue; // a generator's
            const std::string subject = subject_of(input.repository.index, one);
            places.emplace(subject, place_of(input.repository.index, one));
            judge.judge(identity, one, verdicts[{one.object, subject}]);
        }
    }
    for (auto& [what, verdict] : verdicts)
        verdict.report(outcome, what.second, places.at(what.second));
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::strategy_flip

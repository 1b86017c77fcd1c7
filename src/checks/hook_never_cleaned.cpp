// Hooks that stay behind when they fail, so that the next run cannot make them again.
#include "checks/checks.h"
#include "deploy/chart_hooks.h"
#include "deploy/flux_spec.h"
#include "index/cells.h"

namespace lockstep {

void check_hook_never_cleaned(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    each_hook(input.repository, [&](const ChartHook& hook) {
        const std::string_view kind = hook.tree.text_of("kind");
        if (kind != "Job" && kind != "Pod") return;
        const Cell name = cell_at(&hook.tree, {"metadata", "name"});
        const Cell policy = cell_at(&hook.tree, {"metadata", "annotations", "helm.sh/hook-delete-policy"});
        const std::string subject = index.charts[hook.chart].dir + ":" + std::string(kind) + "/" + name.text;
        const auto says = [&](std::string_view word) { return policy.text.find(word) != std::string::npos; };
        const Place place = is_there(policy.place) ? policy.place : index.charts[hook.chart].name.place;
        if (policy.state == State::templated) return outcome.undecided(place, subject, "the policy is not known");
        // Without a policy Helm deletes the old one before it makes the next.
        if (!is_set(policy) || says("before-hook-creation") || says("hook-failed")) return outcome.pass(place, subject);
        Finding finding;
        finding.message = "hook " + std::string(kind) + " " + name.text + " has hook-delete-policy `" + policy.text +
                          "`: one that failed stays, and the next run cannot create it again";
        finding.place = place;
        outcome.fail(subject, std::move(finding));
    });
}

} // namespace lockstep

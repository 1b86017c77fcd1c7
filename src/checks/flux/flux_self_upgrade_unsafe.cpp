// The HelmRelease through which Flux manages itself: settings that can end with Flux uninstalling Flux.
#include "deploy/nodes.h"
#include "deploy/pinned_flux.h"
#include "index/cells.h"
#include "index/flux_self.h"
#include "index/relations.h"
#include "rules/check.h"
#include "rules/flux_facts.h"
#include <unordered_map>

namespace lockstep::flux_self_upgrade_unsafe {
namespace {

bool is_true(const Cell& cell) {
    return cell.state == State::known && cell.text == "true";
}

// What patches of the tree set for a release of this name, or may set for every release.
struct Patches {
    std::unordered_map<std::string, std::vector<EntityId>> by_name; // partial releases
    bool speak_of_values = false;                                   // some inline patch has `preserveValues`
};

Patches patches_of(const CheckInput& input) {
    const Index& index = input.repository.index;
    Patches found;
    for (EntityId id = 0; id < index.releases.size(); ++id)
        if (index.releases[id].partial) found.by_name[index.objects[index.releases[id].object].name.text].push_back(id);
    const auto look = [&](const std::vector<Patch>& patches) {
        for (const Patch& patch : patches) {
            if (!is_there(patch.inline_text)) continue;
            const Span span = patch.inline_text.span;
            const std::string_view text = input.repository.tree->indexed_text(patch.inline_text.file);
            if (text.substr(span.begin, span.end - span.begin).find("preserveValues") != std::string_view::npos)
                found.speak_of_values = true;
        }
    };
    for (const Kustomization& one : index.kustomizations)
        look(one.patches);
    for (const FluxKustomization& one : index.flux_kustomizations)
        look(one.patches);
    return found;
}

class Judge {
public:
    Judge(const CheckInput& input, RuleOutcome& outcome)
        : input_(input), outcome_(outcome), nodes_(input.repository), patches_(patches_of(input)),
          knowledge_(input.own_facts().find("helm"), nullptr, nullptr), pinned_(pinned_flux(input, knowledge_)) {}

    void judge(const SelfRelease& self) {
        const HelmRelease& release = input_.repository.index.releases[self.release];
        const Object& object = input_.repository.index.objects[release.object];
        const NodeRef root = nodes_.root(object);
        const std::string subject = subject_of(input_.repository.index, object);
        file_ = object.file;
        found_ = false;
        const Severity worse = input_.catalyst ? Severity::error : input_.rule.severity;
        const Severity plain = input_.rule.severity;
        const Pinned pins = pinned_.of_object(object);
        // A field that the pinned Flux does not have does nothing: flux-field-unknown speaks.
        const auto has = [&](std::string_view since) { return reach(knowledge_, pins, since).without.empty(); };
        for (std::string_view phase : {"install", "upgrade"})
            if (const Cell cell = at(root, {"spec", phase, "disableTakeOwnership"}); is_true(cell) && has("2.5.0"))
                fail(subject, cell, worse, std::string(phase) + ".disableTakeOwnership",
                     "the Flux that bootstrap installed cannot be adopted; Helm stops at the first object it does not "
                     "own");
        judge_values(subject, object, root, worse);
        const bool retries_in_place =
            at(root, {"spec", "install", "strategy", "name"}).text == "RetryOnFailure" && has("2.7.0");
        const Cell retries = at(root, {"spec", "install", "remediation", "retries"});
        if (retries.state == State::known && retries.text != "0" && !retries_in_place)
            fail(subject, retries, plain, "install.remediation.retries",
                 "before each retry Helm uninstalls the release, and with it Flux");
        const Cell last = at(root, {"spec", "install", "remediation", "remediateLastFailure"});
        if (is_true(last) && !retries_in_place && (retries.state == State::absent || retries.text == "0"))
            fail(subject, last, plain, "install.remediation.remediateLastFailure",
                 "after a failed install Helm uninstalls the release, and with it Flux");
        const Cell strategy = at(root, {"spec", "upgrade", "remediation", "strategy"});
        if (strategy.state == State::known && strategy.text == "uninstall")
            fail(subject, strategy, plain, "upgrade.remediation.strategy",
                 "after a failed upgrade Helm uninstalls the release, and with it Flux");
        for (std::string_view phase : {"upgrade", "rollback"})
            if (const Cell cell = at(root, {"spec", phase, "cleanupOnFail"}); is_true(cell))
                fail(subject, cell, plain, std::string(phase) + ".cleanupOnFail",
                     "a failed " + std::string(phase) + " deletes what it created, controllers of Flux included");
        if (!found_) outcome_.pass(object.name.place, subject);
    }

private:
    Cell at(NodeRef root, Keys keys) { return cell_at(file_, root, keys); }

    // An upgrade without preserveValues goes back to what is written here.
    void judge_values(const std::string& subject, const Object& object, NodeRef root, Severity severity) {
        const Cell cell = at(root, {"spec", "upgrade", "preserveValues"});
        if (is_true(cell)) return;
        if (cell.state == State::templated || patches_.speak_of_values)
            return outcome_.undecided(cell.place, subject + ":upgrade.preserveValues", "a template or patch decides");
        if (const auto partial = patches_.by_name.find(object.name.text); partial != patches_.by_name.end())
            for (const EntityId id : partial->second) {
                const Object& patch = input_.repository.index.objects[input_.repository.index.releases[id].object];
                if (is_true(cell_at(patch.file, nodes_.root(patch), {"spec", "upgrade", "preserveValues"}))) return;
            }
        found_ = true;
        Finding finding;
        finding.rule = outcome_.rule->id;
        finding.severity = severity;
        finding.message = "this release installs Flux itself, and upgrade.preserveValues is " +
                          (cell.state == State::known ? cell.text : std::string("not set")) +
                          ": an upgrade resets the running controllers to the values written here";
        finding.place = cell.place;
        finding.cause = "upgrade.preserveValues";
        outcome_.fail(subject + ":upgrade.preserveValues", std::move(finding));
    }

    void fail(const std::string& subject, const Cell& cell, Severity severity, const std::string& field,
              const std::string& consequence) {
        found_ = true;
        Finding finding;
        finding.rule = outcome_.rule->id;
        finding.severity = severity;
        finding.message = "this release installs Flux itself, and " + field + " is " + cell.text + ": " + consequence;
        finding.place = cell.place;
        finding.cause = field;
        outcome_.fail(subject + ":" + field, std::move(finding));
    }

    const CheckInput& input_;
    RuleOutcome& outcome_;
    Nodes nodes_;
    Patches patches_;
    FluxKnowledge knowledge_;
    PinnedFlux pinned_;
    FileId file_ = no_file;
    bool found_ = false;
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const auto releases = releases_of_flux(index, flux_charts(index, input.facts.find("mirror")));
    if (releases.empty()) return;
    Judge judge(input, outcome);
    for (const SelfRelease& release : releases)
        judge.judge(release);
}

} // namespace

constexpr NativeCheck check{run, "mirror: chart; helm: flux helm"};

} // namespace lockstep::flux_self_upgrade_unsafe

// kubectl commands in pods against what their service accounts may do: script, serviceAccountName, binding, role.
#include "deploy/rbac.h"
#include "index/cells.h"
#include "index/kubectl.h"
#include "index/relations.h"
#include "index/text_search.h"
#include "rules/check.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep::rbac_verb_missing {
namespace {

struct Need {
    ResourceType type;
    std::string subresource, name;
    bool name_known = false;
    std::vector<std::string> verbs; // one of them is enough

    std::string resource() const { return type.plural + (subresource.empty() ? "" : "/" + subresource); }
};

std::vector<std::string> verbs_for(const KubectlCall& call, const KubectlTarget& target) {
    const std::string& verb = call.verb;
    const auto starts = [&](std::string_view text) { return verb.starts_with(text); };
    if (verb == "get") return {target.named ? "get" : "list"};
    if (verb == "describe" || verb == "wait") return {"get", "list", "watch"};
    if (verb == "rollout status" || verb == "rollout history") return {"get", "list", "watch"};
    if (verb == "delete") return {"delete", "deletecollection"};
    if (starts("create")) return {"create"};
    if (verb == "logs") return {"get"};
    if (verb == "exec" || verb == "cp" || verb == "attach" || verb == "port-forward") return {"create", "get"};
    if (verb == "scale" || verb == "edit") return {"patch", "update"};
    if (verb == "patch" || verb == "annotate" || verb == "label" || starts("set ") || starts("rollout "))
        return {"patch"};
    return {};
}

// `kubectl create … --dry-run=client -o yaml | kubectl apply -f -`: what is applied can be told.
const KubectlTarget* applied_through_pipe(const std::vector<ShellCommand>& commands, std::size_t at,
                                          std::optional<KubectlCall>& from) {
    for (std::size_t i = 0; i < at; ++i) {
        if (commands[i].pipes_into != at) continue;
        from = read_kubectl(commands[i]);
        return from && from->verb.starts_with("create") && from->targets.size() == 1 ? &from->targets[0] : nullptr;
    }
    return nullptr;
}

std::vector<Need> needs_of(const KubectlCall& call) {
    std::vector<Need> needs;
    for (const KubectlTarget& target : call.targets) {
        Need need{target.type, call.subresource, target.name, target.name_known, verbs_for(call, target)};
        if (call.verb == "scale") need.subresource = "scale";
        if (!need.verbs.empty()) needs.push_back(std::move(need));
    }
    return needs;
}

enum class Granted : std::uint8_t { no, unsure, yes };

Granted has(const std::vector<Cell>& cells, std::string_view text) {
    Granted found = Granted::no;
    for (const Cell& cell : cells) {
        if (cell.state == State::templated)
            found = std::max(found, Granted::unsure);
        else if (cell.text == text || cell.text == "*")
            return Granted::yes;
    }
    return found;
}

Granted grants(const RbacRule& rule, const Need& need) {
    Granted resource = has(rule.resources, need.resource());
    if (!need.subresource.empty()) resource = std::max(resource, has(rule.resources, "*/" + need.subresource));
    Granted verb = Granted::no;
    for (const std::string& wanted : need.verbs)
        verb = std::max(verb, has(rule.verbs, wanted));
    Granted all = std::min({has(rule.groups, need.type.group), resource, verb});
    if (all == Granted::no || rule.names.empty()) return all;
    // Limited to some objects by name.
    if (!need.name_known) return Granted::unsure;
    return std::min(all, has(rule.names, need.name));
}

struct Answer {
    Granted granted = Granted::no;
    std::string why;                // unsure
    const RbacRule* near = nullptr; // names the resource, or what the subresource belongs to
    const RbacRole* role = nullptr; // the role to add to
    const RbacBinding* absent = nullptr;
};

Answer decide_need(const RbacGrants& rbac, const Account& account, const Need& need) {
    Answer verdict;
    const auto unsure = [&](const std::string& why) {
        verdict.granted = std::max(verdict.granted, Granted::unsure);
        if (verdict.why.empty()) verdict.why = why;
    };
    for (std::size_t number : account.bindings) {
        const RbacBinding& binding = rbac.bindings[number];
        if (binding.everything) return {Granted::yes, {}, nullptr, nullptr, nullptr};
        if (binding.absent)
            verdict.absent = &binding;
        else if (!binding.unsure.empty())
            unsure(binding.unsure);
        for (std::size_t role_number : binding.roles) {
            const RbacRole& role = rbac.roles[role_number];
            if (!role.unsure.empty()) unsure(role.unsure);
            if (!verdict.role) verdict.role = &role;
            for (const RbacRule& rule : role.rules) {
                const Granted granted = grants(rule, need);
                if (granted == Granted::yes) return {Granted::yes, {}, nullptr, nullptr, nullptr};
                if (granted == Granted::unsure) unsure("a rule is limited by a name or a template");
                if (!verdict.near && has(rule.groups, need.type.group) == Granted::yes &&
                    (has(rule.resources, need.type.plural) == Granted::yes ||
                     has(rule.resources, need.resource()) == Granted::yes)) {
                    verdict.near = &rule;
                    verdict.role = &role;
                }
            }
        }
    }
    if (!account.unsure.empty()) unsure(account.unsure);
    return verdict;
}

struct Judge {
    const CheckInput& input;
    RuleOutcome& outcome;
    std::map<std::string, std::size_t> seen = {};      // subject and release to finding, or npos
    std::set<std::pair<std::string, Place>> told = {}; // subjects and places of findings

    void judge(const RbacGrants& rbac, const PodRun& pod, Place place, const KubectlCall& call, const Need& need) {
        const std::string subject = pod.subject + ":" + need.resource() + ":" + need.verbs.front();
        const auto [known, fresh] = seen.emplace(subject + "\n" + std::to_string(pod.root), std::string::npos);
        if (!fresh) {
            if (known->second < outcome.findings.size()) // not where it passed, or was one too many
                outcome.findings[known->second].related.push_back({place, "and this command"});
            return;
        }
        const auto undecided = [&](const std::string& why) { outcome.undecided(place, subject, why); };
        if (pod.kubeconfig) return undecided("the pod brings a kubeconfig of its own");
        if (!is_set(pod.name)) return undecided("the pod names no service account");
        if (!pod.account.there) return undecided("the service account is not in the tree");
        if (pod.account.bindings.empty() && !pod.account.near)
            return undecided("the service account is made elsewhere, its bindings may be too");
        const Answer verdict = decide_need(rbac, pod.account, need);
        if (verdict.granted == Granted::yes) return outcome.pass(place, subject);
        if (verdict.granted == Granted::unsure) return undecided(verdict.why);

        Finding finding;
        finding.rule = input.rule.id;
        finding.severity = need.subresource.empty() ? Severity::warning : Severity::error;
        const std::string does = "`" + shown(call) + "` of the " + pod.title;
        const std::string need_text = "`" + need.verbs.front() + "` on " + need.resource();
        if (verdict.role) {
            finding.message = does + " needs " + need_text + "; the " + verdict.role->title +
                              " of its service account " + pod.name.text + " does not grant it";
            finding.place = verdict.near ? verdict.near->place : verdict.role->rules_key;
        } else if (verdict.absent) {
            finding.message = does + " needs " + need_text + "; the binding of its service account " + pod.name.text +
                              " names the " + verdict.absent->role_kind.text + " " + verdict.absent->role_name.text +
                              ", which is not there";
            finding.place = verdict.absent->role_name.place;
        } else {
            finding.message = does + " needs " + need_text + "; no binding names its service account " + pod.name.text;
            finding.place = pod.name.place;
        }
        finding.proof = pod.place; // a role lacks nothing where nothing runs the script
        finding.related.push_back({place, "this command is refused"});
        if (verdict.role) finding.related.push_back({pod.name.place, "the pod acts as this account"});
        if (!told.emplace(subject, finding.place).second) return; // for another release
        known->second = outcome.findings.size();
        outcome.fail(subject, std::move(finding));
    }

    void judge_script(const RbacGrants& rbac, const std::vector<const PodRun*>& runs, FileId file,
                      const std::vector<ShellCommand>& commands, const std::string& owner) {
        for (std::size_t i = 0; i < commands.size(); ++i) {
            std::optional<KubectlCall> call = read_kubectl(commands[i]);
            if (!call || call->harmless) continue;
            const Place place{file, commands[i].span};
            std::vector<Need> needs = needs_of(*call);
            std::optional<KubectlCall> piped;
            if (call->verb == "apply")
                if (const KubectlTarget* target = applied_through_pipe(commands, i, piped)) {
                    needs = {{target->type, {}, {}, false, {"get"}},
                             {target->type, {}, {}, false, {"patch", "create"}}};
                    call->unclear.clear();
                }
            const std::string subject = owner + ":" + shown(*call);
            if (!call->unclear.empty()) {
                outcome.undecided(place, subject, call->unclear);
                continue;
            }
            if (runs.empty()) outcome.undecided(place, subject, "no pod in the tree is seen to run this script");
            for (const PodRun* pod : runs)
                for (const Need& need : needs)
                    judge(rbac, *pod, place, *call, need);
        }
    }
};

bool calls_kubectl(const std::vector<ShellCommand>& commands) {
    return std::any_of(commands.begin(), commands.end(),
                       [](const ShellCommand& command) { return command_name(command) == "kubectl"; });
}

void judge_applied(const CheckInput& input, RuleOutcome& outcome, const AppliedRbac& rbac) {
    Judge judge{input, outcome};
    for (const AppliedScript& script : rbac.scripts)
        if (script.unknown)
            outcome.undecided(script.place, script.pod.subject, "a value that only the cluster knows is in its script");
        else
            judge.judge_script(rbac, {&script.pod}, script.file, script.commands, script.pod.subject);
}

// Of the scripts in one ConfigMap those that the pod mounts and calls.
bool may_run(const Index& index, const Script& script, const PodRun& pod) {
    const Object& owner = index.objects[script.object];
    std::vector<KeyText> texts;
    std::size_t own = 0;
    for (const Script& one : index.scripts) {
        if (one.object != script.object || one.from != Script::From::config_map || !is_known(one.name)) continue;
        if (&one == &script) own = texts.size();
        const Span span = one.place.span;
        texts.emplace_back(one.name.text,
                           index.tree->indexed_text(one.place.file).substr(span.begin, span.end - span.begin));
    }
    return is_known(script.name) && std::any_of(pod.maps.begin(), pod.maps.end(), [&](const MountedMap& map) {
               if (plain_template(map.name.text) != plain_template(owner.name.text)) return false;
               const std::vector<std::size_t> called = called_scripts(map, texts, pod.spoken);
               return std::find(called.begin(), called.end(), own) != called.end();
           });
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Fleet& fleet = fleet_of(input.repository);
    if (!is_mentioned(*input.repository.tree, "kubectl")) return;
    const AppliedRbac applied(input.repository);
    judge_applied(input, outcome, applied);
    const auto is_applied = [&](EntityId object) {
        const auto instances = fleet.of_object(object);
        return fleet.is_shown(index.objects[object]) ||
               std::any_of(instances.begin(), instances.end(),
                           [&](std::uint32_t one) { return applied.is_judged(fleet.instances[one]); });
    };
    std::vector<std::pair<const Script*, std::vector<ShellCommand>>> scripts;
    for (const Script& script : index.scripts) {
        if (script.object == no_entity || script.bootstrap || script.from == Script::From::workflow) continue;
        std::vector<ShellCommand> commands = commands_of(index, script);
        if (calls_kubectl(commands)) scripts.emplace_back(&script, std::move(commands));
    }
    if (scripts.empty()) return;
    std::map<std::string, std::vector<EntityId>> by_scope;
    for (EntityId id = 0; id < index.objects.size(); ++id)
        if (!index.objects[id].partial) by_scope[scope_of(index, index.objects[id])].push_back(id);

    Judge judge{input, outcome};
    Rbac rbac(input.repository);
    std::map<std::string, std::vector<PodRun>> pods_by_scope;
    for (const auto& [script, commands] : scripts) {
        const Object& owner = index.objects[script->object];
        const std::string scope = scope_of(index, owner);
        const auto [slot, fresh] = pods_by_scope.try_emplace(scope);
        if (fresh)
            for (EntityId id : by_scope[scope])
                for (PodRun& pod : rbac.pods_of(index.objects[id], id))
                    slot->second.push_back(std::move(pod));
        std::vector<const PodRun*> runs;
        for (const PodRun& pod : slot->second) {
            if (!pod.held && is_applied(pod.object)) continue; // judged as clusters get it
            const bool inside = pod.object == script->object && pod.place.file == script->place.file &&
                                pod.place.span.begin <= script->place.span.begin &&
                                pod.place.span.end >= script->place.span.end;
            const bool mounted = script->from == Script::From::config_map && may_run(index, *script, pod);
            if (inside || mounted) runs.push_back(&pod);
        }
        if (runs.empty() && is_applied(script->object)) continue;
        judge.judge_script(rbac, runs, script->place.file, commands, subject_of(index, owner));
    }
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::rbac_verb_missing

// Scripts that change objects in the cluster which Git declares: unless the script also pushes to Git, the next
// reconcile takes the change back.
#include "deploy/fleet.h"
#include "deploy/nodes.h"
#include "index/field_changes.h"
#include "index/relations.h"
#include "rules/check.h"
#include <algorithm>
#include <map>

namespace lockstep::runtime_patch_reverted {
namespace {

bool lists_without_selector(const KubectlCall& call) {
    return call.verb == "get" && call.targets.size() == 1 && !call.targets[0].named && call.unclear.empty() &&
           !has_option(*call.command, {"-l", "--selector", "--field-selector"});
}

bool is_change(const KubectlCall& call) {
    for (std::string_view verb : {"patch", "label", "annotate", "set env", "set image", "scale"})
        if (call.verb == verb) return true;
    return false;
}

bool is_suspend(const FieldChange& change) {
    return change.path.size() == 2 && change.path[0] == "spec" && change.path[1] == "suspend";
}

// Flux was told to leave the object alone.
bool left_alone(NodeRef root) {
    const NodeRef marks = root.get("metadata").resolved().get("annotations").resolved();
    if (marks.get("kustomize.toolkit.fluxcd.io/reconcile").text() == "disabled") return true;
    return !marks.get("kustomize.toolkit.fluxcd.io/ssa").text().empty();
}

struct Change { // one field of one command, with the objects it reaches
    const KubectlCall* call = nullptr;
    FieldChange field;
    std::string kind, name; // name is empty for every object of the kind
    std::vector<EntityId> objects;
};

struct Judge {
    const CheckInput& input;
    RuleOutcome& outcome;
    Nodes nodes;
    std::map<std::string, std::vector<EntityId>> by_kind = {};
    const Fleet& fleet = fleet_of(input.repository);

    const Index& index() const { return input.repository.index; }

    enum class Applied : std::uint8_t { no, by_helm, by_flux };
    Applied applied(EntityId id) const {
        const auto all = fleet.of_object(id);
        if (std::any_of(all.begin(), all.end(), [&](std::uint32_t number) {
                const Root& root = fleet.root_of(fleet.instances[number]);
                return root.certainty == Certainty::proven && root.by != Root::By::chart;
            }))
            return Applied::by_flux;
        const Object& object = index().objects[id];
        const bool rendered = object.in_templates && !object.embedded && index().chart_by_dir.count(object.chart);
        return rendered ? Applied::by_helm : Applied::no;
    }

    std::vector<EntityId> objects_for(const KubectlTarget& target, const KubectlCall& call) const {
        const bool known = call.ns && call.ns->known;
        std::vector<EntityId> found =
            find_objects(index(), target.type.kind, known ? std::string_view(call.ns->text) : "", target.name);
        found.erase(std::remove_if(found.begin(), found.end(),
                                   [&](EntityId id) { return index().objects[id].group != target.type.group; }),
                    found.end());
        return found;
    }

    void judge(const Script& script, const Change& change, const std::vector<Change>& all) {
        const Object& owner = index().objects[script.object];
        const Place place{script.place.file, change.call->command->span};
        const std::string subject = subject_of(index(), owner) + ":" + change.kind + "/" +
                                    (change.name.empty() ? "*" : change.name) + ":" + change.field.shown();
        if (is_suspend(change.field)) return outcome.pass(place, subject);
        std::vector<std::pair<EntityId, NodeRef>> declared;
        std::size_t looked = 0;
        bool other = true, by_flux = false;
        for (EntityId id : change.objects) {
            const Object& object = index().objects[id];
            const Applied how = applied(id);
            if (how == Applied::no) continue;
            const NodeRef root = nodes.root(object);
            if (left_alone(root)) continue;
            ++looked;
            const NodeRef value = declared_at(root, change.field);
            if (!value) continue;
            if (change.field.list || !value.is_scalar())
                return outcome.undecided(place, subject, "lists and mappings are not compared");
            if (value.templated()) return outcome.undecided(place, subject, "Git declares a template");
            if (change.field.known && change.field.value == value.text()) continue;
            other = other && !may_equal(change.field, value.text());
            by_flux = by_flux || how == Applied::by_flux;
            declared.emplace_back(id, value);
        }
        if (looked == 0) return outcome.undecided(place, subject, "no such object is declared and applied here");
        if (declared.empty()) return outcome.pass(place, subject);
        if (change.name.empty() && declared.size() < looked)
            return outcome.undecided(place, subject, "it is unknown which objects the loop reaches");
        // Scaled down for a while and up again: Git's value comes back by the script itself.
        bool again = false;
        for (const Change& twin : all) {
            if (twin.call == change.call || twin.kind != change.kind || twin.name != change.name ||
                twin.field.path != change.field.path)
                continue;
            if (may_equal(twin.field, declared.front().second.text())) return outcome.pass(place, subject);
            again = again || twin.call > change.call;
        }
        if (again) return outcome.undecided(place, subject, "a later command sets it again");

        const Object& first = index().objects[declared.front().first];
        const std::string git_value(declared.front().second.text());
        Finding finding;
        finding.rule = input.rule.id;
        finding.severity = other && by_flux ? input.rule.severity : Severity::warning;
        finding.place = place;
        const std::string of = change.name.empty() ? " of every " + change.kind : "";
        finding.message = "`" + shown(*change.call) + "` sets " + change.field.shown() + of + " to " +
                          change.field.value + ", Git declares " + git_value + " for " + first.kind.text + " " +
                          first.name.text;
        if (declared.size() > 1) finding.message += " and " + std::to_string(declared.size() - 1) + " more";
        finding.message += std::string(", and this script pushes nothing to Git: the next ") +
                           (by_flux ? "reconcile" : "upgrade of its release") + " reverts that";
        for (const auto& [id, value] : declared)
            finding.related.push_back({{index().objects[id].file, value.span()}, "Git declares this"});
        outcome.fail(subject, std::move(finding));
    }

    void read(const Script& script) {
        const std::vector<ShellCommand> commands = commands_of(index(), script);
        std::vector<KubectlCall> calls;
        bool suspends = false;
        for (const ShellCommand& command : commands) {
            if (std::optional<KubectlCall> call = read_kubectl(command)) calls.push_back(std::move(*call));
            const auto words = positional_words(command);
            suspends = suspends || (command_name(command) == "flux" && !words.empty() && words[0]->text == "suspend") ||
                       command_name(command) == "trap"; // what it puts back at the end is a text
        }
        const bool pushes = pushes_to_git(commands);
        std::map<std::string, ResourceType> listed; // by kind: what the script walks over
        for (const KubectlCall& call : calls)
            if (lists_without_selector(call)) listed.emplace(call.targets[0].type.kind, call.targets[0].type);
        std::vector<Change> changes;
        for (const KubectlCall& call : calls) {
            if (!is_change(call) || call.harmless || !call.subresource.empty()) continue;
            const Place place{script.place.file, call.command->span};
            const std::string subject = subject_of(index(), index().objects[script.object]) + ":" + shown(call);
            if (pushes) {
                outcome.pass(place, subject);
                continue;
            }
            const FieldChanges fields = changes_of(call);
            std::vector<KubectlTarget> targets = call.targets;
            // `for r in $(kubectl get helmrepositories -o name); do kubectl patch "$r"`: the list tells the kind.
            if (fields.unclear.empty() && targets.empty() && listed.size() == 1 &&
                call.unclear == "the objects come from a variable")
                targets.push_back({listed.begin()->second, {}, true, false, call.command->span});
            else if (!call.unclear.empty() || !fields.unclear.empty() || targets.empty()) {
                outcome.undecided(place, subject, call.unclear.empty() ? fields.unclear : call.unclear);
                continue;
            }
            for (const KubectlTarget& target : targets) {
                std::vector<EntityId> objects;
                const bool every = !target.name_known;
                if (!every)
                    objects = objects_for(target, call);
                else if ((target.named && listed.count(target.type.kind) > 0) || has_option(*call.command, {"--all"}))
                    for (EntityId id : by_kind[target.type.kind + "." + target.type.group])
                        objects.push_back(id);
                if (every && objects.empty()) {
                    outcome.undecided(place, subject, "the object's name comes from a variable");
                    continue;
                }
                for (const FieldChange& field : fields.changes) {
                    suspends = suspends || (is_suspend(field) && field.value == "true");
                    changes.push_back({&call, field, target.type.kind, every ? "" : target.name, objects});
                }
            }
        }
        for (const Change& change : changes) {
            const Place place{script.place.file, change.call->command->span};
            if (suspends && !is_suspend(change.field))
                outcome.undecided(place,
                                  subject_of(index(), index().objects[script.object]) + ":" + change.kind + ":" +
                                      change.field.shown(),
                                  "the script suspends Flux, or cleans up at its end");
            else
                judge(script, change, changes);
        }
    }
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    Judge judge{input, outcome, Nodes(input.repository)};
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (!object.partial && !object.as_patch && object.name.state == State::known)
            judge.by_kind[object.kind.text + "." + object.group].push_back(id);
    }
    for (const Script& script : index.scripts)
        if (script.object != no_entity && !script.bootstrap &&
            (script.from == Script::From::container || script.from == Script::From::config_map))
            judge.read(script);
}

} // namespace

constexpr NativeCheck check{run};

} // namespace lockstep::runtime_patch_reverted

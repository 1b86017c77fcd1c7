// Force on something that holds data: Flux would delete it to apply it.
#include "deploy/force_mark.h"
#include "index/cells.h"
#include "index/relations.h"
#include "rules/check.h"
#include <set>

namespace lockstep::force_on_stateful {
namespace {

bool is_stateful(const Object& object) {
    return is_object(object, "", "PersistentVolumeClaim") || is_object(object, "apps", "StatefulSet");
}

std::string title(const Object& object) {
    return object.kind.text + " " + object.name.text;
}

std::string lost_words(const Object& object) {
    return object.kind.text == "StatefulSet" ? "its pods and their identity go" : "the data goes";
}

void relate(Finding& finding, Place place, std::string message) {
    if (is_there(place) && finding.related.size() < most_related)
        finding.related.push_back({place, std::move(message)});
}

// The volume that the claim takes is written in Git beside it, and outlives the claim.
bool is_volume_kept(const Fleet& fleet, const Instance& claim) {
    const Value* tree = fleet.tree_of(claim);
    const Cell volume = cell_at(tree, {"spec", "volumeName"}), storage = cell_at(tree, {"spec", "storageClassName"});
    const Root& root = fleet.root_of(claim);
    for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
        const Instance& one = fleet.instances[i];
        if (one.id().kind != "PersistentVolume" || !one.id().group.empty()) continue;
        const Value* other = fleet.tree_of(one);
        const bool bound = is_set(volume) ? volume.text == one.id().name
                                          : is_set(storage) && !storage.text.empty() &&
                                                storage.text == cell_at(other, {"spec", "storageClassName"}).text;
        const Cell policy = cell_at(other, {"spec", "persistentVolumeReclaimPolicy"});
        if (bound && (!is_set(policy) || policy.text == "Retain")) return true;
    }
    return false;
}

// A mark that reaches many objects from one common annotation is one finding.
struct Marks {
    std::map<Place, std::pair<std::string, Finding>> found;
    Severity severity;

    void add(const Index& index, const Object& object, const Cell& mark, Place entry, bool kept) {
        auto slot = found.find(mark.place);
        if (slot != found.end()) {
            if (!kept) slot->second.second.severity = severity;
            return relate(slot->second.second, object.name.place, "reaches this too");
        }
        Finding finding;
        finding.severity = kept ? Severity::note : severity;
        finding.message = title(object) + " is marked " + std::string(force_key) + ": " + mark.text +
                          "; when an apply is refused, Flux deletes it" +
                          (kept ? "; the volume beside it stays" : " and " + lost_words(object) + " with it");
        finding.place = mark.place;
        relate(finding, object.name.place, "the object");
        relate(finding, entry, "applied by kustomize from here");
        found.emplace(mark.place, std::pair(subject_of(index, object), std::move(finding)));
    }
};

void judge_object(const Fleet& fleet, const Index& index, EntityId id, Marks& marks, RuleOutcome& outcome) {
    const Object& object = index.objects[id];
    const auto instances = fleet.applied_by_kustomize(id);
    if (instances.empty() && object.in_templates) return; // Helm takes no notice of the mark
    std::string unsure;
    auto judge = [&](const Value* tree, Place entry, bool kept) {
        const ForceMark mark = force_mark(tree);
        if (mark.says == ForceMark::Says::enabled) marks.add(index, object, mark.cell, entry, kept);
        if (mark.says == ForceMark::Says::unsure) unsure = mark.why;
        return mark.says == ForceMark::Says::enabled;
    };
    if (instances.empty() && judge(fleet.declared_tree(id), {}, false)) return;
    for (std::uint32_t number : instances)
        if (const Instance& one = fleet.instances[number];
            judge(fleet.tree_of(one), one.resource.entry,
                  object.kind.text != "StatefulSet" && is_volume_kept(fleet, one)))
            return;
    if (unsure.empty())
        outcome.pass(object.name.place, subject_of(index, object));
    else
        outcome.undecided(object.name.place, subject_of(index, object), unsure);
}

// Nothing is lost with what it applies: kinds of the table, and workloads that no Service sends anything to.
bool is_made_again(const Table& harmless, const Fleet& fleet, EntityId flux) {
    std::set<std::string_view> kinds{"Deployment", "DaemonSet"};
    for (const Row& row : harmless.rows)
        kinds.insert(harmless.at(row, "kind").text);
    for (std::uint32_t number : fleet.of_flux(flux)) {
        const Root& root = fleet.roots[number];
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i)
            if (!kinds.contains(fleet.instances[i].id().kind)) return false; // a Service among them
    }
    return true;
}

// spec.force of one Flux Kustomization, over all clusters that have it.
void judge_flux(const CheckInput& input, const Fleet& fleet, EntityId flux, const std::vector<const Object*>& below,
                RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Object& object = index.objects[index.flux_kustomizations[flux].object];
    const std::string subject = subject_of(index, object) + ":spec.force";
    Cell force = index.flux_kustomizations[flux].force;
    bool builds = false, complete = true;
    for (std::uint32_t number : fleet.of_flux(flux)) {
        const Root& root = fleet.roots[number];
        if (!is_known(force) || force.text != "true") force = root.spec.force;
        builds = builds || root.count > 0;
        complete = complete && root.complete();
    }
    if (force.state == State::absent) return;
    if (force.state == State::templated) return outcome.undecided(force.place, subject, "a templated value");
    if (force.text != "true") return outcome.pass(force.place, subject);
    if (!builds) return outcome.undecided(force.place, subject, "what it applies is not in this repository");
    if (below.empty() && !complete)
        return outcome.undecided(force.place, subject, "this tree does not show all that it applies");
    Finding finding;
    finding.rule = input.rule.id;
    finding.place = force.place;
    if (below.empty()) {
        finding.severity = is_made_again(input.facts["harmless"], fleet, flux) ? Severity::note : Severity::warning;
        finding.message = "spec.force: true lets Flux delete and recreate everything that Kustomization " +
                          object.name.text + " applies, whenever an apply is refused";
    } else {
        finding.severity = input.rule.severity;
        finding.message =
            "spec.force: true on Kustomization " + object.name.text + " reaches " + title(*below.front()) +
            (below.size() > 1 ? " and " + std::to_string(below.size() - 1) + " more that hold data" : "") +
            ": when an apply is refused, Flux deletes it and " + lost_words(*below.front()) + " with it";
        for (const Object* stateful : below)
            relate(finding, stateful->name.place, "would be deleted");
    }
    outcome.fail(subject, std::move(finding));
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Fleet& fleet = fleet_of(input.repository);
    Marks marks{{}, input.rule.severity};
    std::vector<std::vector<const Object*>> below(index.flux_kustomizations.size());
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (!is_stateful(object) || !is_declared(object)) continue;
        judge_object(fleet, index, id, marks, outcome);
        for (std::uint32_t number : fleet.of_object(id))
            if (const EntityId flux = fleet.root_of(fleet.instances[number]).flux;
                flux != no_entity && (below[flux].empty() || below[flux].back() != &object))
                below[flux].push_back(&object);
    }
    for (auto& [place, mark] : marks.found)
        mark.second.rule = input.rule.id, outcome.fail(std::move(mark.first), std::move(mark.second));
    for (EntityId flux = 0; flux < below.size(); ++flux) {
        const Object& object = index.objects[index.flux_kustomizations[flux].object];
        if (!object.partial && !object.as_patch) judge_flux(input, fleet, flux, below[flux], outcome);
    }
}

} // namespace

constexpr NativeCheck check{run, "harmless: kind"};

} // namespace lockstep::force_on_stateful

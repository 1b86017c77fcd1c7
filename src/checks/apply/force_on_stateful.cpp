// Force on something that holds data: Flux would delete it to apply it.
#include "deploy/force_mark.h"
#include "index/cells.h"
#include "index/relations.h"
#include "rules/check.h"
#include <map>
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
    return object.kind.text == "StatefulSet" ? "its pods and their identity are lost" : "the data is lost";
}

void relate(Finding& finding, Place place, std::string message) {
    if (is_there(place) && finding.related.size() < most_related)
        finding.related.push_back({place, std::move(message)});
}

// What is left of the data once the claim is deleted.
enum class Left : std::uint8_t {
    nothing,
    volume, // its class says Retain: it is released, and no claim takes it again by itself
    claimed // it is written in Git beside the claim, and the new claim takes it
};

// What is left of claims and StatefulSets: the storage classes of each cluster are looked for once.
class Leftovers {
public:
    explicit Leftovers(const Fleet& fleet) : fleet_(fleet) {}
    Left of(const Instance& one) { return one.id().kind == "StatefulSet" ? of_set(one) : of_claim(one); }

private:
    bool is_retained(std::uint32_t cluster, const Cell& name);
    Left of_claim(const Instance& claim);
    Left of_set(const Instance& set);

    const Fleet& fleet_;
    bool read_ = false;
    std::map<std::pair<std::uint32_t, std::string>, bool> retained_; // by cluster and name; the default has none
};

bool Leftovers::is_retained(std::uint32_t cluster, const Cell& name) {
    for (const Instance& one : fleet_.instances) {
        if (read_) break;
        if (one.id().kind != "StorageClass") continue;
        const Value* tree = fleet_.tree_of(one);
        const bool retained = cell_at(tree, {"reclaimPolicy"}).text == "Retain";
        const std::uint32_t its = fleet_.root_of(one).cluster;
        retained_.emplace(std::pair(its, std::string(one.id().name)), retained);
        if (cell_at(tree, {"metadata", "annotations", "storageclass.kubernetes.io/is-default-class"}).text == "true")
            retained_.emplace(std::pair(its, std::string()), retained);
    }
    read_ = true;
    if (is_set(name) && name.text.empty()) return false; // no class at all
    const auto found = retained_.find({cluster, is_set(name) ? name.text : std::string()});
    return found != retained_.end() && found->second;
}

Left Leftovers::of_claim(const Instance& claim) {
    const Fleet& fleet = fleet_;
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
        if (bound && (!is_set(policy) || policy.text == "Retain")) return Left::claimed;
    }
    return is_retained(root.cluster, storage) ? Left::volume : Left::nothing;
}

// The claims of a StatefulSet outlive it, unless it says otherwise; then the class decides.
Left Leftovers::of_set(const Instance& set) {
    const Value* templates = value_at(fleet_.tree_of(set), {"spec", "volumeClaimTemplates"});
    if (!templates || templates->items().empty()) return Left::nothing;
    for (const Value* claim : templates->items())
        if (!is_retained(fleet_.root_of(set).cluster, cell_at(claim, {"spec", "storageClassName"})))
            return Left::nothing;
    return Left::volume;
}

Severity severity_of(Left left, Severity severity) {
    if (left == Left::nothing) return severity;
    return left == Left::volume ? Severity::warning : Severity::note;
}

std::string left_words(const Object& object, Left left) {
    if (left == Left::nothing) return " and " + lost_words(object) + " with it";
    if (left == Left::claimed) return "; its volume is kept";
    return object.kind.text == "StatefulSet" ? " and its pods are lost; its storage class keeps the volumes"
                                             : "; its storage class keeps the volume, without a claim";
}

// A mark that reaches many objects from one common annotation is one finding.
struct Marks {
    std::map<Place, std::pair<std::string, Finding>> found;
    Severity severity;

    void add(const Index& index, const Object& object, const Cell& mark, Place entry, Left left) {
        auto slot = found.find(mark.place);
        if (slot != found.end()) {
            Severity& so_far = slot->second.second.severity;
            so_far = std::max(so_far, severity_of(left, severity));
            return relate(slot->second.second, object.name.place, "applies to this too");
        }
        Finding finding;
        finding.severity = severity_of(left, severity);
        finding.message = title(object) + " is marked " + std::string(force_key) + ": " + mark.text +
                          "; when an apply is refused, Flux deletes it" + left_words(object, left);
        finding.place = mark.place;
        relate(finding, object.name.place, "the object");
        relate(finding, entry, "applied by kustomize from here");
        found.emplace(mark.place, std::pair(subject_of(index, object), std::move(finding)));
    }
};

void judge_object(const Fleet& fleet, const Index& index, EntityId id, Leftovers& leftovers, Marks& marks,
                  RuleOutcome& outcome) {
    const Object& object = index.objects[id];
    const auto instances = fleet.applied_by_kustomize(id);
    if (instances.empty() && object.in_templates) return; // Helm takes no notice of the mark
    std::string unsure;
    auto judge = [&](const Value* tree, Place entry, Left left) {
        const ForceMark mark = force_mark(tree);
        if (mark.says == ForceMark::Says::enabled) marks.add(index, object, mark.cell, entry, left);
        if (mark.says == ForceMark::Says::unsure) unsure = mark.why;
        return mark.says == ForceMark::Says::enabled;
    };
    if (instances.empty() && judge(fleet.declared_tree(id), {}, Left::nothing)) return;
    for (std::uint32_t number : instances)
        if (const Instance& one = fleet.instances[number];
            judge(fleet.tree_of(one), one.resource.entry, leftovers.of(one)))
            return;
    if (unsure.empty())
        outcome.pass(object.name.place, subject_of(index, object));
    else
        outcome.undecided(object.name.place, subject_of(index, object), unsure);
}

// The first thing among what it applies that takes more along when it is deleted, or may: nobody knows of kinds beyond
// the table. Null: all of it is made again within seconds.
const Instance* takes_more_along(const Table& harmless, const Fleet& fleet, EntityId flux) {
    std::set<std::string_view> kinds{"Deployment", "DaemonSet"};
    for (const Row& row : harmless.rows)
        kinds.insert(harmless.at(row, "kind").text);
    for (std::uint32_t number : fleet.of_flux(flux)) {
        const Root& root = fleet.roots[number];
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i)
            if (!kinds.contains(fleet.instances[i].id().kind)) return &fleet.instances[i];
    }
    return nullptr;
}

// Something below a Flux Kustomization that holds data, in the first way that it gets there.
struct Below {
    const Object* object;
    std::uint32_t instance;
};

// spec.force of one Flux Kustomization, over all clusters that have it.
void judge_flux(const CheckInput& input, const Fleet& fleet, EntityId flux, const std::vector<Below>& below,
                Leftovers& leftovers, RuleOutcome& outcome) {
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
        const Instance* more = takes_more_along(input.facts["harmless"], fleet, flux);
        finding.severity = more ? Severity::warning : Severity::note;
        finding.message = "spec.force: true lets Flux delete and recreate everything that Kustomization " +
                          object.name.text + " applies, whenever an apply is refused as invalid";
        if (more)
            finding.message += "; among it is " + std::string(more->id().kind) + " " + std::string(more->id().name) +
                               ", and what depends on it is deleted too";
    } else {
        const Below* worst = &below.front();
        Left left = leftovers.of(fleet.instances[worst->instance]);
        for (const Below& one : below)
            if (const Left its = leftovers.of(fleet.instances[one.instance]); its < left) worst = &one, left = its;
        finding.severity = severity_of(left, input.rule.severity);
        finding.message =
            "spec.force: true on Kustomization " + object.name.text + " reaches " + title(*worst->object) +
            (below.size() > 1 ? " and " + std::to_string(below.size() - 1) + " more that hold data" : "") +
            ": when an apply is refused, Flux deletes it" + left_words(*worst->object, left);
        for (const Below& one : below)
            relate(finding, one.object->name.place, "would be deleted");
    }
    outcome.fail(subject, std::move(finding));
}

void run(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    const Fleet& fleet = fleet_of(input.repository);
    Marks marks{{}, input.rule.severity};
    Leftovers leftovers(fleet);
    std::vector<std::vector<Below>> below(index.flux_kustomizations.size());
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        if (!is_stateful(object) || !is_declared(object)) continue;
        judge_object(fleet, index, id, leftovers, marks, outcome);
        for (std::uint32_t number : fleet.of_object(id))
            if (const EntityId flux = fleet.root_of(fleet.instances[number]).flux;
                flux != no_entity && (below[flux].empty() || below[flux].back().object != &object))
                below[flux].push_back({&object, number});
    }
    for (auto& [place, mark] : marks.found)
        mark.second.rule = input.rule.id, outcome.fail(std::move(mark.first), std::move(mark.second));
    for (EntityId flux = 0; flux < below.size(); ++flux) {
        const Object& object = index.objects[index.flux_kustomizations[flux].object];
        if (!object.partial && !object.as_patch) judge_flux(input, fleet, flux, below[flux], leftovers, outcome);
    }
}

} // namespace

constexpr NativeCheck check{run, "harmless: kind"};

} // namespace lockstep::force_on_stateful

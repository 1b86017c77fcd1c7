// Force on what holds data: by a mark of the object or of something common to many, and by spec.force of the Flux
// Kustomization that applies it. With what is left of the data when Flux deletes it.
#include "deploy/force_mark.h"
#include "index/cells.h"
#include "index/relations.h"
#include "relations/relation.h"
#include <map>
#include <set>

namespace lockstep::force_on_data {
namespace {

bool is_stateful(const Object& object) {
    return is_object(object, "", "PersistentVolumeClaim") || is_object(object, "apps", "StatefulSet");
}

std::string title(const Object& object) {
    return object.kind.text + " " + object.name.text;
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

std::string_view word_of(Left left) {
    return left == Left::nothing ? "nothing" : left == Left::volume ? "its volume" : "its claim";
}

// Something below a Flux Kustomization that holds data, in the first way that it gets there.
struct Below {
    const Object* object;
    std::uint32_t instance;
};

class Forces {
public:
    Forces(const RelationInput& input, RelationRows& rows)
        : input_(input), index_(input.repository.index), fleet_(fleet_of(input.repository)), rows_(rows),
          leftovers_(fleet_) {}

    void fill() {
        std::vector<std::vector<Below>> below(index_.flux_kustomizations.size());
        for (EntityId id = 0; id < index_.objects.size(); ++id) {
            const Object& object = index_.objects[id];
            if (!is_stateful(object) || !is_declared(object)) continue;
            look_for_mark(id);
            for (std::uint32_t number : fleet_.of_object(id))
                if (const EntityId flux = fleet_.root_of(fleet_.instances[number]).flux;
                    flux != no_entity && (below[flux].empty() || below[flux].back().object != &object))
                    below[flux].push_back({&object, number});
        }
        for (auto& [place, mark] : marks_) {
            mark.row.set("left_of_all", std::string(word_of(mark.worst)));
            rows_.add(std::move(mark.row));
        }
        for (EntityId flux = 0; flux < below.size(); ++flux) {
            const Object& object = index_.objects[index_.flux_kustomizations[flux].object];
            if (!object.partial && !object.as_patch) look_at_flux(flux, object, below[flux]);
        }
    }

private:
    static void set_object(const Object& object, Left left, NewRow& row) {
        row.set("object", title(object)).set("kind", object.kind.text).set("left", std::string(word_of(left)));
    }

    // A mark that reaches many objects from one common annotation is one row.
    void add_mark(const Object& object, const Cell& mark, Place entry, Left left) {
        if (const auto known = marks_.find(mark.place); known != marks_.end()) {
            known->second.worst = std::min(known->second.worst, left);
            if (is_there(object.name.place)) known->second.row.also(object.name.place, "applies to this too");
            return;
        }
        NewRow row = rows_.start(mark.place, subject_of(index_, object));
        row.set("by", "mark").set("value", mark);
        set_object(object, left, row);
        if (is_there(object.name.place)) row.also(object.name.place, "the object");
        if (is_there(entry)) row.also(entry, "applied by kustomize from here");
        marks_.emplace(mark.place, Mark{std::move(row), left});
    }

    void look_for_mark(EntityId id) {
        const Object& object = index_.objects[id];
        const auto instances = fleet_.applied_by_kustomize(id);
        if (instances.empty() && object.in_templates) return; // Helm takes no notice of the mark
        std::string unsure;
        const auto is_marked = [&](const Value* tree, Place entry, const Instance* one) {
            const ForceMark mark = force_mark(tree);
            if (mark.says == ForceMark::Says::unsure) unsure = mark.why;
            if (mark.says != ForceMark::Says::enabled) return false;
            add_mark(object, mark.cell, entry, one ? leftovers_.of(*one) : Left::nothing);
            return true;
        };
        if (instances.empty() && is_marked(fleet_.declared_tree(id), {}, nullptr)) return;
        for (std::uint32_t number : instances)
            if (const Instance& one = fleet_.instances[number];
                is_marked(fleet_.tree_of(one), one.resource.entry, &one))
                return;
        NewRow row = rows_.start(object.name.place, subject_of(index_, object));
        if (!unsure.empty()) row.set("doubt", unsure);
        rows_.add(std::move(row));
    }

    // spec.force of one Flux Kustomization, over all clusters that have it.
    void look_at_flux(EntityId flux, const Object& object, const std::vector<Below>& below) {
        Cell force = index_.flux_kustomizations[flux].force;
        bool builds = false, complete = true;
        for (std::uint32_t number : fleet_.of_flux(flux)) {
            const Root& root = fleet_.roots[number];
            if (!is_known(force) || force.text != "true") force = root.spec.force;
            builds = builds || root.count > 0;
            complete = complete && root.complete();
        }
        if (force.state == State::absent) return;
        NewRow row = rows_.start(force.place, subject_of(index_, object) + ":spec.force");
        row.set("by", "flux").set("value", force).set("flux", object.name);
        if (force.state == State::templated)
            row.set("doubt", "a templated value");
        else if (force.text != "true")
            row.set("by", "nothing");
        else if (!builds)
            row.set("doubt", "what it applies is not in this repository");
        else if (below.empty() && !complete)
            row.set("doubt", "this tree does not show all that it applies");
        else if (below.empty())
            add_others(flux, row);
        else
            add_worst(below, row);
        rows_.add(std::move(row));
    }

    void add_others(EntityId flux, NewRow& row) const {
        if (const Instance* one = takes_more_along(input_.table("recreated-freely"), fleet_, flux))
            row.set("among", std::string(one->id().kind) + " " + std::string(one->id().name));
    }

    void add_worst(const std::vector<Below>& below, NewRow& row) {
        const Below* worst = &below.front();
        Left left = leftovers_.of(fleet_.instances[worst->instance]);
        for (const Below& one : below)
            if (const Left its = leftovers_.of(fleet_.instances[one.instance]); its < left) worst = &one, left = its;
        set_object(*worst->object, left, row);
        row.set("left_of_all", std::string(word_of(left)));
        if (below.size() > 1) row.set("more", std::to_string(below.size() - 1));
        for (const Below& one : below)
            if (is_there(one.object->name.place)) row.also(one.object->name.place, "would be deleted");
    }

    struct Mark {
        NewRow row;
        Left worst;
    };
    const RelationInput& input_;
    const Index& index_;
    const Fleet& fleet_;
    RelationRows& rows_;
    Leftovers leftovers_;
    std::map<Place, Mark> marks_ = {};
};

void fill(const RelationInput& input, RelationRows& rows) {
    Forces(input, rows).fill();
}

} // namespace

constexpr Relation relation{"force-on-data", "by value object kind left left_of_all flux more among doubt", "", fill};

} // namespace lockstep::force_on_data

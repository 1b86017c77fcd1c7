// One object that two Flux Kustomizations or releases of one cluster apply. Two clusters are two clusters.
#include "checks/reference_facts.h"
#include "deploy/force_mark.h"
#include "deploy/identities.h"
#include "deploy/runnable.h"
#include "index/cells.h"
#include "index/relations.h"
#include "rules/check.h"
#include <algorithm>
#include <map>
#include <set>

namespace lockstep::object_owned_twice {
namespace {

struct Owners {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Index& index = input.repository.index;
    const Fleet& fleet = fleet_of(input.repository);
    struct Owned {
        std::vector<std::uint32_t> found = {};  // one instance per owner, in the order of the roots
        std::vector<std::uint32_t> owners = {}; // their numbers, sorted
    };
    std::unordered_map<std::string, Owned> owned = {};                // by cluster and identity
    std::unordered_map<std::string, std::uint32_t> owner_number = {}; // by name
    std::vector<Owned*> order = {};                                   // those with two

    Place place_of(const Instance& one) const {
        return one.object == no_entity ? one.resource.document : index.objects[one.object].name.place;
    }
    std::string subject(const Instance& one) const {
        if (one.object != no_entity) return subject_of(index, index.objects[one.object]);
        return index.tree->files[one.resource.document.file].path + "#" + std::string(one.id().kind) + "/" +
               std::string(one.id().ns) + "/" + std::string(one.id().name);
    }
    static std::string owner_name(const Root& root) {
        return (root.by == Root::By::release ? "release " : "") + (root.ns.empty() ? "" : root.ns + "/") + root.name;
    }
    // Helm makes hooks anew, and leaves a definition that is there alone.
    bool is_owned_by_release(const Instance& one) const {
        return fleet.root_of(one).by == Root::By::release && one.id().kind != "CustomResourceDefinition" &&
               !is_hook(fleet, one);
    }

    void collect(std::uint32_t number) {
        const Instance& one = fleet.instances[number];
        const Root& root = fleet.root_of(one);
        // Every app brings its namespace along in many repositories, on purpose.
        if (one.id().kind == "Namespace" || (root.by != Root::By::flux && !is_owned_by_release(one))) return;
        const bool suspended = is_set(root.spec.suspend) && root.spec.suspend.text != "false";
        if (root.certainty != Certainty::proven || !one.name_known || !one.ns_known || suspended ||
            !root.spec.cluster.empty()) {
            outcome.undecided(place_of(one), subject(one), "what is applied, or to which cluster, is not known");
            return;
        }
        std::string key = std::to_string(root.cluster) + " ";
        for (std::string_view part : {one.id().group, one.id().kind, one.id().ns, one.id().name})
            key.append(part) += '/';
        Owned& here = owned[key];
        const auto owner = owner_number.emplace(root.ns + "/" + root.name, owner_number.size()).first->second;
        const auto at = std::lower_bound(here.owners.begin(), here.owners.end(), owner);
        if (at != here.owners.end() && *at == owner) return; // a templated path leads to several folders
        here.owners.insert(at, owner);
        here.found.push_back(number);
        if (here.found.size() == 1) return outcome.pass(place_of(one), [&] { return subject(one); });
        if (here.found.size() == 2) order.push_back(&here);
    }

    // Those that really write the object again and again: what Flux is told to leave alone, or what never runs, does
    // not.
    void settle(Owned& one, const Runnable& runnable) {
        const Instance& first = fleet.instances[one.found.front()];
        std::string why;
        std::erase_if(one.found, [&](std::uint32_t number) {
            const Instance& here = fleet.instances[number];
            const Root& root = fleet.root_of(here);
            const std::string doubt = runnable.doubt(root);
            if (!doubt.empty()) why = owner_name(root) + ": " + doubt;
            if (doubt.empty() && !(root.by == Root::By::flux && is_left_alone(fleet.tree_of(here)))) return false;
            std::erase(one.owners, owner_number.at(root.ns + "/" + root.name));
            return true;
        });
        if (one.found.size() < 2 && !why.empty()) outcome.undecided(place_of(first), subject(first), why);
    }

    void settle() {
        References references = references_of(input);
        const Runnable runnable(fleet, references);
        for (Owned* one : order)
            settle(*one, runnable);
        std::erase_if(order, [](const Owned* one) { return one->found.size() < 2; });
    }

    static std::string shown(const Instance& one) {
        return std::string(one.id().kind) + " " + (one.id().ns.empty() ? "" : std::string(one.id().ns) + "/") +
               std::string(one.id().name);
    }

    // The list of a folder decides what is taken of the folders below it.
    bool has_list_between(std::string_view around, std::string_view inside) const {
        for (std::string_view dir = directory_of(inside);; dir = directory_of(dir)) {
            if (index.kustomization_by_dir.count(std::string(dir))) return true;
            if (dir.size() <= around.size()) return false;
        }
    }

    // The folder of one owner lies in that of another which has no list of its own: Flux makes one of all below it.
    std::string taken_whole(const std::vector<std::uint32_t>& found) const {
        std::set<std::pair<std::string_view, FileId>> owned_from;
        for (std::uint32_t number : found)
            if (const FileId file = fleet.instances[number].resource.document.file; file != no_file)
                owned_from.emplace(fleet.root_of(fleet.instances[number]).dir, file);
        for (const auto& [inside, file] : owned_from)
            for (std::string_view around = directory_of(inside); !around.empty(); around = directory_of(around))
                if (owned_from.contains({around, file}) && !has_list_between(around, inside))
                    return std::string(around) + " has no kustomization.yaml, so Flux takes all folders below it, " +
                           std::string(inside) + " too";
        return {};
    }

    // An owner that is among what it applies, though another applies it too. A sync that applies itself is meant to.
    std::string applies_itself(const std::vector<std::uint32_t>& found) const {
        std::string why;
        for (std::uint32_t number : found) {
            const Root& root = fleet.root_of(fleet.instances[number]);
            const Instance* maker = root.maker == no_number ? nullptr : &fleet.instances[root.maker];
            if (!maker || maker->object == no_entity) continue;
            const Instance* copy = nullptr;
            bool by_another = false;
            for (std::uint32_t other : fleet.of_object(maker->object)) {
                const Instance& one = fleet.instances[other];
                const Root& here = fleet.root_of(one);
                if (&here == &root)
                    copy = &one;
                else if (here.cluster == root.cluster && here.by == Root::By::flux && one.id().ns == maker->id().ns)
                    by_another = true;
            }
            if (!copy || !by_another) continue;
            why = owner_name(root) + " is in the folder that it applies, " + root.dir;
            if (copy->id().ns != maker->id().ns) // this is where the others come from
                return why + ", and so makes a second one, " + std::string(copy->id().ns) + "/" +
                       std::string(copy->id().name);
        }
        return why;
    }

    // In more than metadata: labels that each Kustomization puts on all it has are no difference that anybody wrote.
    bool differ(const std::vector<std::uint32_t>& found) const {
        const Value* first = fleet.tree_of(fleet.instances[found.front()]);
        const Value* last = fleet.tree_of(fleet.instances[found.back()]);
        if (!first || !last || !first->is_mapping() || !last->is_mapping()) return false;
        for (const auto& [one, other] : {std::pair(first, last), std::pair(last, first)})
            for (std::size_t i = 0; i < one->size(); ++i) {
                const std::string_view key = one->key_at(i)->text;
                const Value* same = key == "metadata" ? nullptr : other->get(key);
                if (key != "metadata" && (!same || !equal(*one->value_at(i), *same))) return true;
            }
        return false;
    }

    // Copies of a source that say the same: what both want is there, whoever wrote it last.
    bool are_sources(const std::vector<const std::vector<std::uint32_t>*>& group) const {
        return std::all_of(group.begin(), group.end(), [&](const auto* found) {
            return fleet.instances[found->front()].id().group == "source.toolkit.fluxcd.io";
        });
    }

    // One manifest, whatever name each owner gives it.
    bool is_one_place(const std::vector<std::uint32_t>& found) const {
        return std::all_of(found.begin(), found.end(), [&](std::uint32_t number) {
            return place_of(fleet.instances[number]) == place_of(fleet.instances[found.front()]);
        });
    }
    std::string shown_place(Place place) const {
        return input.repository.tree->files[place.file].path + ":" + std::to_string(place.span.begin);
    }

    // All objects that the same Kustomizations of a cluster share.
    void report(const std::vector<const std::vector<std::uint32_t>*>& group,
                const std::vector<std::uint32_t>& everywhere) {
        const std::vector<std::uint32_t>& found = *group.front();
        const Instance& last = fleet.instances[found.back()];
        const bool several = group.size() > 1;
        Finding finding;
        finding.message = shown(last);
        if (several)
            finding.message +=
                " and " + std::to_string(group.size() - 1) + (group.size() > 2 ? " more objects" : " more object");
        finding.message += std::string(several ? " are" : " is") + " applied by " +
                           (fleet.root_of(last).by == Root::By::flux ? "Flux Kustomization " : "") +
                           owner_name(fleet.root_of(last)) + " and by " +
                           owner_name(fleet.root_of(fleet.instances[found.front()]));
        if (found.size() > 2) finding.message += " and " + std::to_string(found.size() - 2) + " more";
        finding.message += " of the same cluster: ";
        if (const std::string why = taken_whole(found); !why.empty()) {
            finding.message += why + "; ";
            finding.cause = why.substr(0, why.find(','));
        } else if (const std::string itself = applies_itself(found); !itself.empty()) {
            finding.message += itself + "; ";
        }
        const bool other = std::any_of(group.begin(), group.end(), [&](const auto* one) { return differ(*one); });
        const bool helm = std::any_of(found.begin(), found.end(), [&](std::uint32_t number) {
            return fleet.root_of(fleet.instances[number]).by == Root::By::release;
        });
        if (!other && !several && finding.cause.empty()) // many apps that bring the same thing along, in each namespace
            finding.cause = is_one_place(found) ? std::string(last.id().kind) + " of " + shown_place(place_of(last))
                                                : std::string(last.id().kind) + " " + std::string(last.id().name);
        if (helm)
            finding.message += "Helm refuses an object that it did not create, or each undoes the other";
        else
            finding.message += other ? "what they say differs and each undoes the other"
                                     : "each takes it from the other at every reconciliation";
        finding.message += ", and the one that applied last deletes it once it no longer includes it";
        finding.rule = input.rule.id;
        finding.severity = !other && !helm && are_sources(group) ? Severity::note : input.rule.severity;
        finding.place = place_of(last);
        finding.instances = everywhere;
        std::set<Place> places{finding.place};
        for (std::uint32_t number : found) {
            if (finding.related.size() >= most_related) break;
            const Root& root = fleet.root_of(fleet.instances[number]);
            const EntityId owner = root.flux != no_entity      ? index.flux_kustomizations[root.flux].object
                                   : root.release != no_entity ? index.releases[root.release].object
                                                               : no_entity;
            if (owner != no_entity)
                finding.related.push_back(
                    {index.objects[owner].name.place, number == found.back() ? "the other" : "one owner"});
        }
        for (const auto* object : group)
            for (std::uint32_t number : *object) {
                const Instance& one = fleet.instances[number];
                if (object == group.front() && finding.related.size() >= most_related) break;
                if (places.insert(place_of(one)).second)
                    finding.related.push_back(
                        {place_of(one), object == group.front() ? "declared here too" : shown(one) + " too"});
            }
        outcome.fail(subject(last), std::move(finding));
    }
};

void run(const CheckInput& input, RuleOutcome& outcome) {
    Owners all{input, outcome};
    for (std::uint32_t i = 0; i < all.fleet.instances.size(); ++i)
        all.collect(i);
    std::map<std::vector<Place>, std::vector<std::uint32_t>> told; // the same in every cluster is one finding
    struct Group {
        std::vector<const std::vector<std::uint32_t>*> objects;
        const std::vector<std::uint32_t>* first = nullptr; // instances of its first object
    };
    std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, Group> groups; // by cluster and owners
    std::vector<const Group*> order;
    if (!all.order.empty()) all.settle();
    for (const Owners::Owned* one : all.order) {
        std::vector<Place> places;
        for (std::uint32_t number : one->found)
            places.push_back(all.place_of(all.fleet.instances[number]));
        const auto [same, fresh] = told.try_emplace(std::move(places));
        same->second.insert(same->second.end(), one->found.rbegin(), one->found.rend());
        if (!fresh) continue;
        const std::uint32_t cluster = all.fleet.root_of(all.fleet.instances[one->found.front()]).cluster;
        Group& group = groups[{cluster, one->owners}];
        if (group.objects.empty()) {
            order.push_back(&group);
            group.first = &same->second;
        }
        group.objects.push_back(&one->found);
    }
    for (const Group* group : order)
        all.report(group->objects, *group->first);
}

} // namespace

constexpr NativeCheck check{run,
                            "references: set from path to name namespace optional key; makers: by makes name; scripts"};

} // namespace lockstep::object_owned_twice

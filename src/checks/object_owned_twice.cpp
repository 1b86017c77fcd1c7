// One object that two Flux Kustomizations of one cluster apply. Two clusters are two clusters.
#include "checks/checks.h"
#include "deploy/fleet.h"
#include "index/cells.h"
#include "index/relations.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

struct Owners {
    const CheckInput& input;
    RuleOutcome& outcome;
    const Index& index = input.repository.index;
    const Fleet& fleet = fleet_of(input.repository);
    // By cluster and identity: one instance per owner, in the order of the roots.
    std::unordered_map<std::string, std::vector<std::uint32_t>> owners = {};
    std::vector<std::string> order = {}; // keys of those with two

    Place place_of(const Instance& one) const {
        return one.object == no_entity ? one.resource.document : index.objects[one.object].name.place;
    }
    std::string subject(const Instance& one) const {
        if (one.object != no_entity) return subject_of(index, index.objects[one.object]);
        return index.tree->files[one.resource.document.file].path + "#" + std::string(one.id().kind) + "/" +
               std::string(one.id().ns) + "/" + std::string(one.id().name);
    }
    static std::string owner_name(const Root& root) { return (root.ns.empty() ? "" : root.ns + "/") + root.name; }

    void collect(std::uint32_t number) {
        const Instance& one = fleet.instances[number];
        const Root& root = fleet.root_of(one);
        // Every app brings its namespace along in many repositories, on purpose.
        if (root.by != Root::By::flux || one.id().kind == "Namespace") return;
        const bool suspended = is_set(root.spec.suspend) && root.spec.suspend.text != "false";
        if (root.certainty != Certainty::proven || !one.name_known || !one.ns_known || suspended ||
            !root.spec.cluster.empty()) {
            outcome.undecided(place_of(one), subject(one), "what is applied, or to which cluster, is not known");
            return;
        }
        std::string key = std::to_string(root.cluster) + " ";
        for (std::string_view part : {one.id().group, one.id().kind, one.id().ns, one.id().name})
            key.append(part) += '/';
        auto& found = owners[key];
        const bool known = std::any_of(found.begin(), found.end(), [&](std::uint32_t other) {
            const Root& its = fleet.root_of(fleet.instances[other]);
            return its.name == root.name && its.ns == root.ns; // a templated path leads to several folders
        });
        if (known) return;
        found.push_back(number);
        if (found.size() == 1) return outcome.pass(place_of(one), [&] { return subject(one); });
        if (found.size() == 2) order.push_back(std::move(key));
    }

    void report(const std::vector<std::uint32_t>& found) {
        const Instance& first = fleet.instances[found.front()];
        const Instance& last = fleet.instances[found.back()];
        const Root& owner = fleet.root_of(first);
        Finding finding;
        finding.message = std::string(last.id().kind) + " " +
                          (last.id().ns.empty() ? "" : std::string(last.id().ns) + "/") + std::string(last.id().name) +
                          " is applied by Flux Kustomization " + owner_name(fleet.root_of(last)) + " and by " +
                          owner_name(owner);
        if (found.size() > 2) finding.message += " and " + std::to_string(found.size() - 2) + " more";
        finding.message += " of the same cluster: when one of them prunes it, it is gone";
        finding.place = place_of(last);
        std::set<Place> places{finding.place};
        for (std::uint32_t number : found) {
            const Instance& one = fleet.instances[number];
            if (finding.related.size() >= most_related) break;
            if (places.insert(place_of(one)).second) finding.related.push_back({place_of(one), "declared here too"});
            const Root& root = fleet.root_of(one);
            if (root.flux != no_entity)
                finding.related.push_back({index.objects[index.flux_kustomizations[root.flux].object].name.place,
                                           number == found.back() ? "the other" : "one owner"});
        }
        outcome.fail(subject(last), std::move(finding));
    }
};

} // namespace

void check_object_owned_twice(const CheckInput& input, RuleOutcome& outcome) {
    Owners all{input, outcome};
    for (std::uint32_t i = 0; i < all.fleet.instances.size(); ++i)
        all.collect(i);
    std::set<std::vector<Place>> told; // the same in every cluster is one finding
    for (const std::string& key : all.order) {
        const auto& found = all.owners[key];
        std::vector<Place> places;
        for (std::uint32_t number : found)
            places.push_back(all.place_of(all.fleet.instances[number]));
        if (told.insert(places).second) all.report(found);
    }
}

} // namespace lockstep

// Looks one name up in one cluster: what it gets, what makes such an object, what may, and what else it could mean.
#include "base/suggest.h"
#include "deploy/name_pattern.h"
#include "deploy/references.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

// `web-1` and `web-2` are two things and no slip.
bool differ_in_digits_only(std::string_view a, std::string_view b) {
    auto without = [](std::string_view text) {
        std::string made(text);
        std::erase_if(made, [](char c) { return c >= '0' && c <= '9'; });
        return made;
    };
    return without(a) == without(b);
}

constexpr std::size_t most_slips = 2; // edits

bool is_slip(std::string_view wanted, std::string_view other) {
    if (wanted == other || differ_in_digits_only(wanted, other)) return false;
    const std::size_t limit = std::min(most_slips, std::max(wanted.size(), other.size()) / 3);
    return edits_between(wanted, other, limit) <= limit;
}

} // namespace

bool References::is_external(std::string_view kind, std::string_view ns, std::string_view name) const {
    for (std::string_view entry : in_.external) {
        const std::size_t first = entry.find('/'), last = entry.rfind('/');
        if (first == std::string_view::npos || !fits(entry.substr(0, first), kind)) continue;
        if (!fits(entry.substr(last + 1), name)) continue;
        if (first == last || ns.empty() || fits(entry.substr(first + 1, last - first - 1), ns)) return true;
    }
    return false;
}

const Resolution& References::resolve(std::uint32_t cluster, const GroupKind& wanted, const std::string& ns,
                                      const std::string& name) {
    const std::string key = std::to_string(cluster) + " " + wanted.group + "/" + wanted.kind + "/" + ns + "/" + name;
    const auto known = known_.find(key);
    return known != known_.end() ? known->second : known_.emplace(key, look(cluster, wanted, ns, name)).first->second;
}

const Resolution& References::unsure(const std::string& why) {
    Resolution& made = unsure_[why];
    made.is = Resolution::Is::possible;
    made.why = why;
    return made;
}

// True when it is settled: the cluster gets it, or may get it from a root that is not proven.
bool References::find_here(std::uint32_t cluster, const GroupKind& wanted, const std::string& ns,
                           const std::string& name, Resolution& made) const {
    std::string unsure;
    std::set<const TreeStep*> seen; // many roots may apply the same object
    for (std::uint32_t number : in_.fleet.find(cluster, wanted.group, wanted.kind, ns, name)) {
        const Instance& one = in_.fleet.instances[number];
        if (!one.name_known || in_.fleet.certainty_of(one) == Certainty::loose) continue;
        if (in_.fleet.certainty_of(one) == Certainty::possible)
            unsure = "one of that name is applied only perhaps: " + in_.fleet.root_of(one).why;
        else if (!one.ns_known && !ns.empty())
            unsure = "the namespace of the one of that name is not known";
        else if (!one.resource.step || seen.insert(one.resource.step).second)
            made.to.push_back(number);
    }
    if (made.to.empty() && unsure.empty()) return false;
    made.is = made.to.empty() ? Resolution::Is::possible : Resolution::Is::here;
    made.why = made.to.empty() ? unsure : std::string();
    return true;
}

Resolution References::look(std::uint32_t cluster, const GroupKind& wanted, const std::string& ns,
                            const std::string& name) {
    using Is = Resolution::Is;
    Resolution made;
    if (find_here(cluster, wanted, ns, name, made)) return made;
    if (is_external(wanted.kind, ns, name)) {
        made.is = Is::elsewhere;
        made.why = "the config names it as external";
        return made;
    }
    MadeObjects::Answer answer = made_.look(cluster, wanted, ns, name);
    if (answer.made) {
        made.is = Is::elsewhere;
        made.why = std::move(answer.why);
        return made;
    }
    const std::string outside = openings_.outside(cluster, wanted);
    if (const std::string sister = in_a_sister(cluster, wanted, ns, name); !sister.empty()) {
        made.is = Is::possible;
        made.why = sister + " has it, which may be the same cluster";
        return made;
    }
    find_others(cluster, wanted, ns, name, made);
    if (made.hashed != no_number) return made; // nothing else has that name: kustomize has changed it
    for (std::uint32_t other : made.others)
        if (is_carried(other)) answer = {false, true, "a controller may copy it into other namespaces"};
    if (!answer.perhaps && made.unapplied != no_entity && openings_.begins_unseen(cluster) &&
        (is_entry_point(made.unapplied) || openings_.is_below_unseen_sync(cluster, path_of(made.unapplied))))
        answer = {false, true, "the sync of this cluster is not in Git, and may apply the one of that name"};
    if (answer.perhaps) {
        made.is = Is::possible;
        made.why = std::move(answer.why);
        return made;
    }
    find_near(cluster, wanted, ns, name, made);
    // Secrets and ConfigMaps come from charts, operators and people so often that only the rest of the tree can tell.
    made.why = openings_.reason(cluster, wanted, ns, outside.empty());
    made.open = !made.why.empty() || !outside.empty();
    made.by_convention = made.why.empty() && !outside.empty();
    if (made.by_convention) made.why = outside;
    made.is = made.open ? Is::possible : Is::missing;
    return made;
}

std::string_view References::path_of(EntityId object) const {
    return in_.index.tree->files[in_.index.objects[object].file].path;
}

// A kustomization that nothing includes has it: somebody applies that by hand or with another tool.
bool References::is_entry_point(EntityId object) const {
    const auto instances = in_.fleet.of_object(object);
    return std::any_of(instances.begin(), instances.end(), [&](std::uint32_t number) {
        return in_.fleet.root_of(in_.fleet.instances[number]).by == Root::By::alone;
    });
}

// An annotation by which a controller carries an object into other namespaces.
bool References::is_carried(std::uint32_t instance) const {
    Arena arena;
    const Value* tree = in_.fleet.tree_of(in_.fleet.instances[instance], arena);
    const Value* annotations = value_at(tree, {"metadata", "annotations"});
    for (std::size_t i = 0; annotations && annotations->is_mapping() && i < annotations->size(); ++i)
        for (std::string_view word : {"reflect", "replicat", "kubed", "sync"})
            if (annotations->key_at(i)->text.find(word) != std::string_view::npos) return true;
    return false;
}

void References::find_others(std::uint32_t cluster, const GroupKind& wanted, const std::string& ns,
                             const std::string& name, Resolution& made) {
    auto is_there = [&](const Instance& one) {
        return ns.empty() || one.cluster_scoped || one.id().ns.empty() || one.id().ns == ns;
    };
    for (std::uint32_t number : in_.fleet.find(cluster, wanted.group, wanted.kind, "", name)) {
        const Instance& one = in_.fleet.instances[number];
        if (one.name_known && in_.fleet.certainty_of(one) == Certainty::proven && !is_there(one))
            made.others.push_back(number);
    }
    for (std::uint32_t number : of_kind(cluster, wanted).generated)
        if (const Instance& one = in_.fleet.instances[number]; is_there(one) && original_id(one.resource).name == name)
            made.hashed = number;
    for (EntityId id : find_objects(in_.index, wanted.kind, ns, name))
        if (in_.index.objects[id].group == wanted.group && in_.fleet.certainty_of(id) == Certainty::loose)
            made.unapplied = id;
}

// Where the tree does not show how a cluster begins, its folders may belong to one cluster or to several.
std::string References::in_a_sister(std::uint32_t cluster, const GroupKind& wanted, const std::string& ns,
                                    const std::string& name) const {
    if (!openings_.begins_unseen(cluster)) return {};
    for (EntityId id : find_objects(in_.index, wanted.kind, "", name)) {
        if (in_.index.objects[id].group != wanted.group) continue;
        for (std::uint32_t number : in_.fleet.of_object(id)) {
            const Instance& one = in_.fleet.instances[number];
            const std::uint32_t other = in_.fleet.root_of(one).cluster;
            if (in_.fleet.certainty_of(one) == Certainty::loose || !openings_.begins_unseen(other)) continue;
            if (ns.empty() || one.id().ns.empty() || !one.ns_known || one.id().ns == ns)
                return in_.fleet.clusters[other].name;
        }
    }
    return {};
}

void References::find_near(std::uint32_t cluster, const GroupKind& wanted, const std::string& ns,
                           const std::string& name, Resolution& made) {
    std::vector<std::string> found;
    for (std::string& other : names(cluster, wanted, ns).within(name, most_slips))
        if (is_slip(name, other)) found.push_back(std::move(other));
    if (found.size() == 1) made.near = found.front();
    std::set<std::string> spaces;
    for (std::uint32_t number : made.others)
        if (is_slip(ns, in_.fleet.instances[number].id().ns)) spaces.emplace(in_.fleet.instances[number].id().ns);
    made.near_ns = spaces.size() == 1;
}

References::OfKind& References::of_kind(std::uint32_t cluster, const GroupKind& wanted) {
    if (!of_kind_read_) {
        of_kind_read_ = true;
        for (std::uint32_t number = 0; number < in_.fleet.instances.size(); ++number) {
            const Instance& one = in_.fleet.instances[number];
            if (!one.name_known || in_.fleet.certainty_of(one) != Certainty::proven) continue;
            OfKind& same = of_kind_[{in_.fleet.root_of(one).cluster,
                                     GroupKind{std::string(one.id().group), std::string(one.id().kind)}}];
            same.all.push_back(number);
            if (one.resource.generated) same.generated.push_back(number);
        }
    }
    return of_kind_[{cluster, wanted}];
}

// All that the cluster has of a kind in a namespace, without doubles.
const NearNames& References::names(std::uint32_t cluster, const GroupKind& wanted, const std::string& ns) {
    OfKind& same = of_kind(cluster, wanted);
    if (const auto known = same.names.find(ns); known != same.names.end()) return known->second;
    std::vector<std::string> found = made_.names(cluster, wanted, ns);
    for (std::uint32_t number : same.all) {
        const Instance& one = in_.fleet.instances[number];
        if (!ns.empty() && !one.cluster_scoped && !one.id().ns.empty() && one.id().ns != ns) continue;
        found.emplace_back(one.resource.generated ? original_id(one.resource).name : one.id().name);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return same.names.emplace(ns, NearNames(std::move(found))).first->second;
}

} // namespace lockstep

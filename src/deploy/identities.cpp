// Finds instances again in another tree.
#include "deploy/identities.h"
#include "index/cells.h"
#include "index/relations.h"
#include <algorithm>

namespace lockstep {

Identities::Identities(const Fleet& fleet, const Wanted& wanted) : fleet_(fleet) {
    for (std::uint32_t i = 0; i < fleet.instances.size(); ++i) {
        const Instance& one = fleet.instances[i];
        const bool placed = one.ns_known || fleet.root_of(one).by == Root::By::chart; // wherever it is installed
        if (!one.name_known || !placed || fleet.certainty_of(one) == Certainty::loose || !wanted(one)) continue;
        const ResourceId& id = one.id();
        std::string identity(id.group);
        for (std::string_view part : {id.kind, one.cluster_scoped ? std::string_view() : id.ns, id.name}) {
            identity += '/';
            identity += part;
        }
        all_[std::move(identity)].push_back(i);
    }
}

const std::string& Identities::cluster(const Instance& instance) const {
    return fleet_.clusters[fleet_.root_of(instance).cluster].name;
}

std::string Identities::root_key(const Instance& instance) const {
    const Root& root = fleet_.root_of(instance);
    std::string key = cluster(instance) + " ";
    if (root.by == Root::By::release) return key + "release " + root.ns + "/" + root.name;
    return key + (root.by == Root::By::flux ? root.ns + "/" + root.name : root.dir + "/");
}

std::string subject_of(const Index& index, const Instance& instance) {
    if (instance.object != no_entity) return subject_of(index, index.objects[instance.object]);
    const ResourceId& id = instance.id();
    const FileId file = instance.resource.document.file;
    return (file < index.tree->files.size() ? index.tree->files[file].path : std::string()) + "#" +
           std::string(id.kind) + "/" + std::string(id.ns) + "/" + std::string(id.name);
}

Place place_of(const Index& index, const Instance& instance) {
    return instance.object == no_entity ? instance.resource.document : index.objects[instance.object].name.place;
}

bool is_hook(const Fleet& fleet, const Instance& instance) {
    return fleet.root_of(instance).is_rendered() &&
           value_at(fleet.tree_of(instance), {"metadata", "annotations", "helm.sh/hook"}) != nullptr;
}

std::vector<std::uint32_t> before(const Identities& base, const Identities& head, const std::string& identity,
                                  const Instance& now) {
    std::vector<std::uint32_t> same_root, left;
    const auto old = base.all().find(identity);
    if (old == base.all().end()) return {};
    const std::string root = head.root_key(now);
    std::vector<std::string> roots_now;
    for (std::uint32_t number : head.all().at(identity))
        roots_now.push_back(head.root_key(head.instance(number)));
    for (std::uint32_t number : old->second) {
        const Instance& one = base.instance(number);
        const std::string key = base.root_key(one);
        if (key == root) same_root.push_back(number);
        const bool still = std::find(roots_now.begin(), roots_now.end(), key) != roots_now.end();
        if (!still && base.cluster(one) == head.cluster(now)) left.push_back(number);
    }
    return same_root.empty() ? left : same_root;
}

} // namespace lockstep

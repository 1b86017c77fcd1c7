// Looks at all roots that apply an object of one identity.
#include "deploy/sole_applier.h"

namespace lockstep {

std::uint32_t sole_applier(const Fleet& fleet, const Instance& object) {
    const ResourceId& id = object.id();
    if (!object.name_known || !object.ns_known) return no_number;
    std::uint32_t sole = no_number;
    for (std::uint32_t number : fleet.find(fleet.root_of(object).cluster, id.group, id.kind, id.ns, id.name)) {
        const Root& root = fleet.root_of(fleet.instances[number]);
        if (root.certainty == Certainty::loose) continue;
        if (root.by != Root::By::flux || root.certainty != Certainty::proven || root.maker == no_number)
            return no_number;
        const auto same = [&](const ResourceId& one, const ResourceId& other) {
            return one.ns == other.ns && one.name == other.name;
        };
        if (sole != no_number && !same(fleet.instances[sole].id(), fleet.instances[root.maker].id())) return no_number;
        sole = root.maker;
    }
    return sole;
}

} // namespace lockstep

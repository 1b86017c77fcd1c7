// Follows sources and dependsOn of Flux Kustomizations and releases, from the top of each cluster down.
#include "deploy/runnable.h"

namespace lockstep {

Runnable::Runnable(const Fleet& fleet, References& references) : fleet_(fleet) {
    for (std::string_view set : {"source", "depends-on"})
        for (const ResolvedReference& one : references.of_set(set)) {
            const bool there = one.is->is == Resolution::Is::here || one.is->is == Resolution::Is::elsewhere;
            if (there || one.from == no_number) continue;
            unresolved_.emplace(key_of(fleet.instances[one.from]), "it needs " + one.wanted.kind + " " +
                                                                       (one.ns.empty() ? "" : one.ns + "/") + one.name +
                                                                       ", which nothing is known to bring");
        }
    // Those that apply each other, or themselves, run only if something else applies one of them.
    std::set<std::uint32_t> running;
    for (bool more = true; more;) {
        more = false;
        for (std::uint32_t number = 0; number < fleet.roots.size(); ++number) {
            const Root& root = fleet.roots[number];
            if (running.contains(number) || !doubt(root).empty()) continue;
            more = running.insert(number).second;
            for (std::uint32_t i = root.first; i < root.first + root.count; ++i)
                if (const Instance& one = fleet.instances[i]; is_flux_group(one.id().group))
                    applied_.insert(key_of(one));
        }
    }
}

std::string Runnable::key_of(const Instance& maker) const {
    std::string key = std::to_string(fleet_.root_of(maker).cluster);
    for (std::string_view part : {maker.id().kind, maker.id().ns, maker.id().name})
        key += "/" + std::string(part);
    return key;
}

std::string Runnable::doubt(const Root& root) const {
    if (root.maker == no_number) return {};
    const std::string key = key_of(fleet_.instances[root.maker]);
    if (const auto found = unresolved_.find(key); found != unresolved_.end()) return found->second;
    return applied_.contains(key) ? std::string() : "what applies it may never run";
}

} // namespace lockstep

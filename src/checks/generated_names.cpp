// Generators by name, and the kustomizations that tell kustomize about fields of Flux.
#include "checks/generated_names.h"
#include "checks/known_objects.h"
#include "index/cells.h"

namespace lockstep {
namespace {

// The kustomizations given and every one that includes them.
std::set<EntityId> with_those_above(const Index& index, const std::set<EntityId>& start) {
    std::set<EntityId> reached = start;
    std::vector<EntityId> queue(start.begin(), start.end());
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const auto above = index.dir_listers.find(queue[i]);
        if (above == index.dir_listers.end()) continue;
        for (std::uint32_t edge : above->second)
            if (reached.insert(index.listed_edges[edge].kustomization).second)
                queue.push_back(index.listed_edges[edge].kustomization);
    }
    return reached;
}

bool may_change_names(Listing as) {
    return as == Listing::configuration || as == Listing::replacement || as == Listing::transformer;
}

} // namespace

GeneratedNames::GeneratedNames(const Index& index) : index_(index) {
    for (EntityId id = 0; id < index.kustomizations.size(); ++id)
        for (const Generator& generator : index.kustomizations[id].generators) {
            const std::string& name = generator.name.text;
            if (is_known(generator.name))
                made_[{generator.secret, name}].push_back({id, &generator});
            else
                patterns_.emplace(generator.secret, pattern_of_name(name));
        }
}

const std::vector<GeneratedObject>& GeneratedNames::find(bool secret, const std::string& name) const {
    const auto found = made_.find({secret, name});
    return found == made_.end() ? none_ : found->second;
}

bool GeneratedNames::may_be_templated(bool secret, std::string_view name) const {
    for (const auto& [of_secret, pattern] : patterns_)
        if (of_secret == secret && fits(pattern, name)) return true;
    return false;
}

std::set<EntityId> GeneratedNames::speakers(std::string_view field) const {
    std::set<EntityId> found;
    for (EntityId id = 0; id < index_.kustomizations.size(); ++id) {
        const std::string& text = index_.tree->files[index_.kustomizations[id].file].text;
        if (text.find(field) != std::string::npos) found.insert(id); // an inline replacement, or a patch
    }
    for (const ListedEdge& edge : index_.listed_edges) {
        if (!may_change_names(index_.kustomizations[edge.kustomization].listed[edge.entry].as)) continue;
        const bool unread = edge.target != Target::file;
        if (unread || index_.tree->indexed_text(edge.file).find(field) != std::string::npos)
            found.insert(edge.kustomization);
    }
    return found;
}

bool GeneratedNames::is_taught(EntityId kustomization, std::string_view field) {
    auto taught = taught_.find(field);
    if (taught == taught_.end())
        taught = taught_.emplace(std::string(field), with_those_above(index_, speakers(field))).first;
    for (EntityId id : with_those_above(index_, {kustomization}))
        if (taught->second.count(id)) return true;
    return false;
}

} // namespace lockstep

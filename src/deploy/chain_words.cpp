// Words for the links of chains.
#include "deploy/chain_words.h"
#include "index/cells.h"

namespace lockstep {

std::string_view word_for(ChainLink::By by) {
    switch (by) {
    case ChainLink::By::given:
        return "given";
    case ChainLink::By::flux:
        return "Flux Kustomization";
    case ChainLink::By::config:
        return "config";
    case ChainLink::By::kustomization:
        return "kustomization";
    case ChainLink::By::folder:
        return "folder";
    case ChainLink::By::release:
        return "HelmRelease";
    case ChainLink::By::chart:
        return "chart";
    }
    return "";
}

std::string name_of(const Index& index, const Fleet& fleet, const ChainLink& link) {
    auto shown_dir = [](const std::string& dir) { return dir.empty() ? std::string(".") : dir; };
    switch (link.by) {
    case ChainLink::By::given:
        return index.tree->files[link.place.file].path;
    case ChainLink::By::flux: {
        const Root& root = fleet.roots[link.root];
        return (root.ns.empty() ? "" : root.ns + "/") + root.name;
    }
    case ChainLink::By::config:
    case ChainLink::By::folder:
        return shown_dir(fleet.roots[link.root].dir);
    case ChainLink::By::kustomization:
        return index.tree->files[index.kustomizations[link.id].file].path;
    case ChainLink::By::release: {
        if (link.id == no_entity) return fleet.roots[link.root].ns + "/" + fleet.roots[link.root].name;
        const Object& object = index.objects[index.releases[link.id].object];
        return (is_set(object.ns) ? object.ns.text + "/" : "") + object.name.text;
    }
    case ChainLink::By::chart:
        return index.charts[link.id].name.text;
    }
    return {};
}

std::string written_in(const Index& index, const Fleet& fleet, const ChainLink& link) {
    auto bytes_at = [&](Place place) {
        if (!is_there(place)) return std::string();
        return index.tree->files[place.file].text.substr(place.span.begin, place.span.end - place.span.begin);
    };
    switch (link.by) {
    case ChainLink::By::flux:
        return fleet.roots[link.root].spec.path.text;
    case ChainLink::By::kustomization:
        return bytes_at(link.place);
    case ChainLink::By::release:
        return link.id == no_entity ? std::string() : index.release_edges[link.id].version.text;
    case ChainLink::By::chart:
        for (const ChartDependency& dependency : index.charts[link.id].dependencies)
            if (dependency.name.place == link.place) return dependency.name.text + " " + dependency.version.text;
        return {};
    case ChainLink::By::given:
        return link.id == no_entity ? std::string() : bytes_at(index.objects[link.id].outer);
    case ChainLink::By::config:
    case ChainLink::By::folder:
        break;
    }
    return {};
}

std::string short_name_of(const Index& index, const Fleet& fleet, const ChainLink& link) {
    const std::string name = name_of(index, fleet, link);
    switch (link.by) {
    case ChainLink::By::flux:
        return "Kustomization " + name;
    case ChainLink::By::config:
        return "another repository, says the config";
    case ChainLink::By::folder:
        return "every manifest below " + name;
    case ChainLink::By::release:
    case ChainLink::By::chart:
        return std::string(word_for(link.by)) + " " + name;
    case ChainLink::By::given:
    case ChainLink::By::kustomization:
        break;
    }
    return name;
}

} // namespace lockstep

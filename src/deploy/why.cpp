// From a file to the instances that came from it, and from these up: objects by their instances, kustomizations by what
// came through them, charts by the releases that install them.
#include "deploy/why.h"
#include "deploy/flux_folder.h"
#include "index/cells.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

class Search {
public:
    Search(const Index& index, const Fleet& fleet) : index_(index), fleet_(fleet) {}

    WhyChains object(EntityId id) const {
        const Object& object = index_.objects[id];
        const auto numbers = fleet_.of_object(id);
        WhyChains found;
        for (const bool applied : {true, false}) { // what nothing applies counts where nothing else is
            if (!applied && (!found.chains.empty() || found.more)) break;
            for (std::uint32_t number : numbers) {
                const Instance& one = fleet_.instances[number];
                if ((fleet_.certainty_of(one) != Certainty::loose) != applied || is_applied_again(one, numbers))
                    continue;
                if (is_full(found)) continue;
                WhyChain chain = chain_to(fleet_.root_of(one), fleet_.chain_of(one));
                chain.instance = number;
                chain.patches = patches_of(one.resource);
                found.chains.push_back(std::move(chain));
            }
        }
        if (found.chains.empty() && object.bootstrap) {
            WhyChain chain;
            chain.links.push_back({ChainLink::By::given, id, {object.file, object.document}, no_number});
            found.chains.push_back(std::move(chain));
        }
        if (found.chains.empty() && object.in_templates)
            if (const auto own = index_.chart_by_dir.find(object.chart); own != index_.chart_by_dir.end())
                return chart(own->second);
        return found;
    }

    WhyChains kustomization(EntityId id, Place entry) const {
        const Kustomization& made = index_.kustomizations[id];
        WhyChains found;
        for (const bool applied : {true, false}) {
            if (!applied && (!found.chains.empty() || found.more)) break;
            for (const Root& root : fleet_.roots) {
                const auto& folders = root.folders;
                if ((root.certainty != Certainty::loose) == applied &&
                    std::find(folders.begin(), folders.end(), made.dir) != folders.end())
                    add_through(found, root, id, entry);
            }
        }
        return found;
    }

    // Through releases, and through charts that depend on it. Each chart is met once, by the shortest chain.
    WhyChains chart(EntityId id) const {
        std::vector<std::pair<EntityId, std::vector<ChainLink>>> open{{id, {}}};
        std::set<EntityId> met{id};
        WhyChains found;
        for (std::size_t i = 0; i < open.size(); ++i) {
            const EntityId here = open[i].first;
            const std::vector<ChainLink> below = open[i].second;
            for (EntityId r = 0; r < index_.releases.size(); ++r) {
                if (index_.release_edges[r].chart != here) continue;
                std::vector<ChainLink> links{{ChainLink::By::release, r, index_.release_edges[r].version.place}};
                links.insert(links.end(), below.begin(), below.end());
                add_below(found, object(index_.releases[r].object), links);
            }
            for (const DependencyEdge& edge : index_.dependency_edges) {
                if (edge.local != here || !met.insert(edge.chart).second) continue;
                const ChartDependency& dependency = index_.charts[edge.chart].dependencies[edge.dependency];
                std::vector<ChainLink> links{{ChainLink::By::chart, edge.chart, dependency.name.place}};
                links.insert(links.end(), below.begin(), below.end());
                open.emplace_back(edge.chart, std::move(links));
            }
        }
        return found;
    }

private:
    static bool is_full(WhyChains& found) {
        if (found.chains.size() < most_chains) return false;
        ++found.more;
        return true;
    }

    // What a cluster begins with is mostly applied by the first Flux Kustomization as well: that chain says more.
    bool is_applied_again(const Instance& one, std::span<const std::uint32_t> all) const {
        const Root& root = fleet_.root_of(one);
        return root.by == Root::By::given && std::any_of(all.begin(), all.end(), [&](std::uint32_t number) {
                   const Root& other = fleet_.root_of(fleet_.instances[number]);
                   return other.by == Root::By::flux && other.cluster == root.cluster &&
                          other.certainty >= root.certainty;
               });
    }

    WhyChain chain_to(const Root& root, std::vector<ChainLink> links) const {
        WhyChain chain;
        chain.cluster = fleet_.clusters[root.cluster].name;
        chain.certainty = root.certainty;
        chain.why = root.why;
        chain.links = std::move(links);
        return chain;
    }

    static void add_below(WhyChains& to, WhyChains above, const std::vector<ChainLink>& links) {
        to.more += above.more;
        for (WhyChain& chain : above.chains) {
            if (is_full(to)) continue;
            chain.links.insert(chain.links.end(), links.begin(), links.end());
            chain.instance = no_number; // that of the release
            chain.patches.clear();
            to.chains.push_back(std::move(chain));
        }
    }

    // The chains of one root that lead through a kustomization, told by the objects that came through it.
    void add_through(WhyChains& found, const Root& root, EntityId id, Place entry) const {
        const Kustomization& made = index_.kustomizations[id];
        std::set<std::vector<Place>> told; // by the entries that lead there
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
            std::vector<Place> entries;
            const Via* via = fleet_.instances[i].resource.via;
            for (; via && via->kustomization != made.file; via = via->below)
                entries.push_back(via->entry);
            if (!via || !told.insert(entries).second || is_full(found)) continue;
            WhyChain chain = chain_to(root, fleet_.chain_of(fleet_.instances[i]));
            while (chain.links.back().by != ChainLink::By::kustomization || chain.links.back().id != id)
                chain.links.pop_back();
            chain.links.back().place = entry;
            found.chains.push_back(std::move(chain));
        }
        if (!told.empty() || is_full(found)) return;
        WhyChain chain = chain_to(root, fleet_.chain_of(root)); // one that adds no objects
        const auto top = index_.kustomization_by_dir.find(root.dir);
        if (top != index_.kustomization_by_dir.end() && top->second != id)
            chain.links.push_back({ChainLink::By::kustomization, top->second, {}});
        chain.links.push_back({ChainLink::By::kustomization, id, entry});
        found.chains.push_back(std::move(chain));
    }

    const Index& index_;
    const Fleet& fleet_;
};

Part::As part_of(Listing as) {
    if (as == Listing::patch) return Part::As::patch;
    if (as == Listing::generated_from) return Part::As::generated_from;
    return Part::As::other_listing;
}

bool nothing_applies(const Part& part) {
    return std::all_of(part.found.chains.begin(), part.found.chains.end(),
                       [](const WhyChain& chain) { return chain.certainty == Certainty::loose; });
}

// Patches that delete a document, each once.
std::vector<Place> removed_by(const Fleet& fleet, Place document) {
    std::set<Place> found;
    for (const Root& root : fleet.roots)
        for (const RemovedResource& one : root.removed)
            if (one.document.file == document.file && one.document.span.begin == document.span.begin &&
                root.certainty != Certainty::loose)
                found.insert(one.by);
    return {found.begin(), found.end()};
}

struct Hints {
    const Index& index;
    const Fleet& fleet;
    std::vector<Hint>& hints;

    void add(std::string text, Place place) {
        const bool known =
            std::any_of(hints.begin(), hints.end(), [&](const Hint& hint) { return hint.place == place; });
        if (!known) hints.push_back({std::move(text), place});
    }

    void add_chart(EntityId id) {
        add("its chart is installed by no HelmRelease of this tree", index.charts[id].name.place);
    }

    // What is near an object that nothing applies.
    void look_around(const Object& object) {
        const std::string& path = index.tree->files[object.file].path;
        const Place whole{object.file, {object.document.begin, object.document.begin}};
        for (std::uint32_t cluster = 0; cluster < fleet.clusters.size(); ++cluster)
            for (std::uint32_t number : fleet.find(cluster, object.group, object.kind.text, "", object.name.text)) {
                const Instance& other = fleet.instances[number];
                if (other.object == no_entity || fleet.certainty_of(other) == Certainty::loose) continue;
                add("an object of the same kind and name is applied from here", index.objects[other.object].name.place);
            }
        if (object.in_templates) {
            if (const auto chart = index.chart_by_dir.find(object.chart); chart != index.chart_by_dir.end())
                add_chart(chart->second);
            return;
        }
        if (SourceIgnore(*index.tree).covers(path)) return add("Flux leaves this path out of what it fetches", whole);
        if (!index.listers.of(object.file).empty()) return;
        for (std::string_view dir = directory_of(path);; dir = directory_of(dir)) {
            const auto near = index.kustomization_by_dir.find(std::string(dir));
            if (near != index.kustomization_by_dir.end()) {
                Place place = index.kustomizations[near->second].place;
                place.span.end = place.span.begin;
                return add("the nearest kustomization does not list it", place);
            }
            if (dir.empty()) break;
        }
        add("there is no kustomization beside it or above, and no Flux Kustomization's path leads here", whole);
    }
};

} // namespace

FileChains chains_of_file(const Index& index, const Fleet& fleet, FileId file) {
    const Search search(index, fleet);
    FileChains found;
    Hints hints{index, fleet, found.hints};
    for (EntityId id = 0; id < index.kustomizations.size(); ++id)
        if (index.kustomizations[id].file == file && !index.kustomizations[id].embedded)
            found.parts.push_back({Part::As::kustomization, id, search.kustomization(id, {}), {}});
    for (std::uint32_t number : index.listers.of(file)) {
        const ListedEdge& edge = index.listed_edges[number];
        const Listed& entry = index.kustomizations[edge.kustomization].listed[edge.entry];
        if (entry.as == Listing::resource || entry.as == Listing::base || entry.as == Listing::component) continue;
        found.parts.push_back(
            {part_of(entry.as), edge.kustomization, search.kustomization(edge.kustomization, entry.path.place), {}});
    }
    const bool used = !found.parts.empty();
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        const bool counts = object.file == file && object.group != "kustomize.config.k8s.io" && is_set(object.name);
        if (!counts || (object.embedded && !object.bootstrap)) continue;
        Part part{Part::As::object, id, search.object(id), removed_by(fleet, {file, object.document})};
        if (part.found.chains.empty() && part.removed_by.empty() && used) continue; // a patch document
        if (nothing_applies(part) && part.removed_by.empty()) hints.look_around(object);
        found.parts.push_back(std::move(part));
    }
    if (!found.parts.empty()) return found;
    // Values, Chart.yaml and all else in a chart's folder belong to the chart.
    for (std::string_view dir = directory_of(index.tree->files[file].path);; dir = directory_of(dir)) {
        const auto chart = index.chart_by_dir.find(std::string(dir));
        if (chart != index.chart_by_dir.end()) {
            found.parts.push_back({Part::As::chart, chart->second, search.chart(chart->second), {}});
            if (found.parts.back().found.chains.empty()) hints.add_chart(chart->second);
            return found;
        }
        if (dir.empty()) return found;
    }
}

} // namespace lockstep

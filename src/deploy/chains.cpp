// Objects by their instances, kustomizations by what came through them, charts by the releases that install them.
#include "deploy/chains.h"
#include "index/cells.h"
#include <algorithm>
#include <set>

namespace lockstep {

// What nothing applies counts where nothing else is.
template <class Add> WhyChains Chains::collect(const Add& add_some) const {
    WhyChains found;
    for (const Certainty certainty : {Certainty::proven, Certainty::possible, Certainty::loose}) {
        if (certainty == Certainty::loose && (!found.chains.empty() || found.more)) break;
        Wanted wanted{found, certainty};
        add_some(wanted);
    }
    return found;
}

void Chains::add(Wanted& wanted, WhyChain chain) const {
    auto& clusters = wanted.found.clusters;
    if (chain.certainty == Certainty::proven && fleet_.has_roots && !chain.cluster.empty() &&
        std::find(clusters.begin(), clusters.end(), chain.cluster) == clusters.end())
        clusters.push_back(chain.cluster);
    if (wanted.found.chains.size() < most_)
        wanted.found.chains.push_back(std::move(chain));
    else
        ++wanted.found.more;
}

// A chart with its own values, where the tree says what is applied: its releases say more.
bool Chains::is_left_to_releases(const Instance& one) const {
    return fleet_.has_roots && fleet_.root_of(one).by == Root::By::chart;
}

WhyChain Chains::chain_to(const Root& root, std::vector<ChainLink> links) const {
    WhyChain chain;
    chain.cluster = fleet_.clusters[root.cluster].name;
    chain.certainty = root.certainty;
    chain.root = static_cast<std::uint32_t>(&root - fleet_.roots.data());
    chain.why = root.why;
    chain.links = std::move(links);
    return chain;
}

void Chains::add_object(Wanted& wanted, EntityId id, const std::vector<ChainLink>& below) const {
    const Object& object = index_.objects[id];
    const auto numbers = fleet_.of_object(id);
    bool any = false;
    for (std::uint32_t number : numbers) {
        const Instance& one = fleet_.instances[number];
        if (fleet_.certainty_of(one) != wanted.certainty || is_left_to_releases(one)) continue;
        if (fleet_.applied_again_as(one) != no_number) continue; // that chain says more
        any = true;
        WhyChain chain = chain_to(fleet_.root_of(one), {});
        if (wanted.found.chains.size() < most_) {
            chain.links = fleet_.chain_of(one);
            chain.links.insert(chain.links.end(), below.begin(), below.end());
            if (below.empty()) { // else it is that of the release
                chain.instance = number;
                chain.patches = patches_of(one.resource);
            }
        }
        add(wanted, std::move(chain));
    }
    if (object.bootstrap && wanted.certainty == Certainty::proven && !any) {
        WhyChain chain;
        chain.links.push_back({ChainLink::By::given, id, {object.file, object.document}, no_number});
        chain.links.insert(chain.links.end(), below.begin(), below.end());
        add(wanted, std::move(chain));
    }
    const bool rendered = std::any_of(numbers.begin(), numbers.end(), [&](std::uint32_t number) {
        return fleet_.root_of(fleet_.instances[number]).by == Root::By::release;
    });
    if (object.in_templates && !rendered && (fleet_.has_roots || numbers.empty()))
        if (const auto own = index_.chart_by_dir.find(object.chart);
            own != index_.chart_by_dir.end() && !fleet_.is_rendered(own->second))
            add_chart(wanted, own->second, below);
}

// Each chart is met once, by the shortest chain.
void Chains::add_chart(Wanted& wanted, EntityId id, const std::vector<ChainLink>& below) const {
    if (std::find(wanted.charts.begin(), wanted.charts.end(), id) != wanted.charts.end()) return;
    wanted.charts.push_back(id);
    std::vector<std::pair<EntityId, std::vector<ChainLink>>> open{{id, below}};
    std::set<EntityId> met{id};
    for (std::size_t i = 0; i < open.size(); ++i) {
        const EntityId here = open[i].first;
        const std::vector<ChainLink> rest = open[i].second;
        for (EntityId release : fleet_.releases_of(here)) {
            std::vector<ChainLink> links{
                {ChainLink::By::release, release, index_.release_edges[release].version.place}};
            links.insert(links.end(), rest.begin(), rest.end());
            add_object(wanted, index_.releases[release].object, links);
        }
        for (const DependencyEdge& edge : index_.dependency_edges) {
            if (edge.local != here || !met.insert(edge.chart).second) continue;
            const ChartDependency& dependency = index_.charts[edge.chart].dependencies[edge.dependency];
            std::vector<ChainLink> links{{ChainLink::By::chart, edge.chart, dependency.name.place}};
            links.insert(links.end(), rest.begin(), rest.end());
            open.emplace_back(edge.chart, std::move(links));
        }
    }
    wanted.charts.pop_back();
    if (fleet_.has_roots) return;
    for (std::uint32_t number = 0; number < fleet_.roots.size(); ++number) // taken as applied
        if (const Root& root = fleet_.roots[number];
            root.by == Root::By::chart && root.chart == id && root.certainty == wanted.certainty) {
            std::vector<ChainLink> links{{ChainLink::By::chart, id, index_.charts[id].name.place, number}};
            links.insert(links.end(), below.begin(), below.end());
            add(wanted, chain_to(root, std::move(links)));
        }
}

// The chains of one root that lead through a kustomization, told by the objects that came through it.
void Chains::add_through(Wanted& wanted, const Root& root, EntityId id, Place entry) const {
    const Kustomization& made = index_.kustomizations[id];
    std::set<std::vector<Place>> told; // by the entries that lead there
    for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
        std::vector<Place> entries;
        const Via* via = fleet_.instances[i].resource.via;
        for (; via && via->kustomization != made.file; via = via->below)
            entries.push_back(via->entry);
        if (!via || !told.insert(entries).second) continue;
        WhyChain chain = chain_to(root, {});
        if (wanted.found.chains.size() < most_) {
            chain.links = fleet_.chain_of(fleet_.instances[i]);
            while (chain.links.back().by != ChainLink::By::kustomization || chain.links.back().id != id)
                chain.links.pop_back();
            chain.links.back().place = entry;
        }
        add(wanted, std::move(chain));
    }
    if (!told.empty()) return;
    WhyChain chain = chain_to(root, fleet_.chain_of(root)); // one that adds no objects
    const auto top = index_.kustomization_by_dir.find(root.dir);
    if (top != index_.kustomization_by_dir.end() && top->second != id)
        chain.links.push_back({ChainLink::By::kustomization, top->second, {}});
    chain.links.push_back({ChainLink::By::kustomization, id, entry});
    add(wanted, std::move(chain));
}

WhyChains Chains::of_object(EntityId id) const {
    return collect([&](Wanted& wanted) { add_object(wanted, id, {}); });
}

std::optional<WhyChain> Chains::of_instance(std::uint32_t number) const {
    const Instance* one = &fleet_.instances[number];
    if (is_left_to_releases(*one)) return {};
    if (const auto again = fleet_.applied_again_as(*one); again != no_number) {
        number = again;
        one = &fleet_.instances[again];
    }
    WhyChain chain = chain_to(fleet_.root_of(*one), fleet_.chain_of(*one));
    chain.instance = number;
    chain.patches = patches_of(one->resource);
    return chain;
}

WhyChains Chains::of_instances(std::span<const std::uint32_t> numbers) const {
    return collect([&](Wanted& wanted) {
        for (const std::uint32_t number : numbers)
            if (auto chain = of_instance(number); chain && chain->certainty == wanted.certainty)
                add(wanted, std::move(*chain));
    });
}

WhyChains Chains::of_kustomization(EntityId id, Place entry) const {
    return collect([&](Wanted& wanted) {
        for (std::uint32_t number : fleet_.roots_through(id))
            if (fleet_.roots[number].certainty == wanted.certainty)
                add_through(wanted, fleet_.roots[number], id, entry);
    });
}

WhyChains Chains::of_chart(EntityId id) const {
    return collect([&](Wanted& wanted) { add_chart(wanted, id, {}); });
}

WhyChains Chains::of_refused(FileId file) const {
    return collect([&](Wanted& wanted) {
        for (const Fleet::Refusal& refusal : fleet_.refusals_of(file)) {
            const Root& root = fleet_.roots[refusal.root];
            if (root.certainty != wanted.certainty) continue;
            WhyChain chain = chain_to(root, fleet_.chain_of(root));
            const BuildError& error = root.errors[refusal.error];
            chain.refused = error.message;
            const auto listed = fleet_.kustomization_in(error.place.file);
            if (listed != no_entity)
                chain.links.push_back({ChainLink::By::kustomization, listed, error.place, refusal.root});
            add(wanted, std::move(chain));
        }
    });
}

} // namespace lockstep

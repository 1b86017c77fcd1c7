// Entities and the closure into nodes and edges.
#include "index/graph.h"
#include "index/cells.h"
#include "index/ways.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

constexpr std::uint32_t none = 0xffffffffU;
constexpr const char* several = "several clusters";

class Drawing {
public:
    Drawing(const Index& index, const Closure& closure)
        : index_(index), closure_(closure), tops_(tops_of(closure)), of_root_(closure.roots.size(), none),
          of_chart_(index.charts.size(), none), of_source_(index.sources.size(), none) {
        for (EntityId id = 0; id < index.releases.size(); ++id)
            release_of_[index.releases[id].object] = id;
        for (EntityId id = 0; id < index.flux_kustomizations.size(); ++id)
            flux_of_[index.flux_kustomizations[id].object] = id;
        for (EntityId id = 0; id < index.sources.size(); ++id)
            source_objects_.insert(index.sources[id].object);
    }

    RepositoryGraph draw() {
        roots();
        for (std::uint32_t i = 0; i < closure_.applied.size(); ++i)
            applied(closure_.applied[i]);
        waits();
        charts();
        for (GraphNode& node : made_.nodes)
            count_lines(node);
        return std::move(made_);
    }

private:
    std::uint32_t add(GraphNode node) {
        made_.nodes.push_back(std::move(node));
        return static_cast<std::uint32_t>(made_.nodes.size() - 1);
    }

    void connect(GraphEdge::Kind kind, std::uint32_t from, std::uint32_t to, const std::string& label = {}) {
        if (from == none || to == none) return;
        if (joined_.emplace(kind, from, to, label).second) made_.edges.push_back({kind, from, to, label});
    }

    std::string cluster_of(std::uint32_t root) const {
        std::set<std::string> names;
        for (std::uint32_t top : tops_[root])
            names.insert(cluster_name(index_, closure_, top));
        if (names.size() > 1) return several;
        const std::string name = names.empty() ? std::string() : *names.begin();
        return name.empty() ? "." : name;
    }

    std::string object_name(const Object& object, const Cell& ns) const {
        return (is_set(ns) ? ns.text + "/" : std::string()) + object.name.text;
    }

    // Where Flux applies a thing, a kustomization for local builds or tests does not count.
    bool adds_something(const ClosureRoot& root) const {
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
            const EntityId object = closure_.applied[i].object;
            if (!release_of_.count(object) && !flux_of_.count(object)) continue;
            const auto all = closure_.by_object.of(object);
            if (std::none_of(all.begin(), all.end(), [&](std::uint32_t number) {
                    return closure_.roots[closure_.applied[number].root].flux != no_entity;
                }))
                return true;
        }
        return false;
    }

    std::uint32_t flux(const ClosureRoot& root, const std::string& cluster) {
        const FluxKustomization& flux = index_.flux_kustomizations[root.flux];
        const FluxEdges& edges = index_.flux_edges[root.flux];
        const Object& object = index_.objects[flux.object];
        GraphNode node{GraphNode::Kind::flux,
                       object_name(object, namespaces_of(index_, closure_, flux.object).front())};
        node.place = object.name.place;
        node.cluster = cluster;
        node.lines.push_back(flux.path.text.empty() ? "./" : flux.path.text);
        if (flux.suspend.text == "true") node.lines.push_back("suspended");
        if (!root.complete()) node.lines.push_back("open: " + std::string(to_string(root.gaps.front().why)));
        const std::uint32_t made = add(std::move(node));
        if (edges.source != no_entity && edges.this_repository != Ours::yes)
            connect(GraphEdge::Kind::from, made, source(edges.source));
        return made;
    }

    void roots() {
        std::map<EntityId, std::uint32_t> of_flux; // a templated path has several roots
        for (std::uint32_t i = 0; i < closure_.roots.size(); ++i) {
            const ClosureRoot& root = closure_.roots[i];
            if (root.flux == no_entity) {
                if (!adds_something(root)) {
                    ++made_.left_out;
                    continue;
                }
                GraphNode node{GraphNode::Kind::kustomization, root.dir.empty() ? "." : root.dir};
                node.place = index_.kustomizations[root.kustomization].place;
                node.cluster = cluster_of(i);
                of_root_[i] = add(std::move(node));
                continue;
            }
            const auto [known, fresh] = of_flux.emplace(root.flux, none);
            if (fresh)
                known->second = flux(root, cluster_of(i));
            else if (made_.nodes[known->second].cluster != cluster_of(i))
                made_.nodes[known->second].cluster = several;
            of_root_[i] = known->second;
        }
        for (std::uint32_t i = 0; i < closure_.roots.size(); ++i)
            for (std::uint32_t parent : closure_.roots[i].parents)
                if (parent != i) connect(GraphEdge::Kind::applies, of_root_[parent], of_root_[i]);
    }

    void applied(const Applied& one) {
        if (of_root_[one.root] == none) return;
        const auto release = release_of_.find(one.object);
        if (release != release_of_.end()) {
            connect(GraphEdge::Kind::applies, of_root_[one.root], this->release(release->second, one));
            return;
        }
        if (flux_of_.count(one.object) || source_objects_.count(one.object)) return;
        ++made_.nodes[of_root_[one.root]].objects[std::string(kind_of(index_, one))];
    }

    std::uint32_t release(EntityId id, const Applied& one) {
        const std::string& tree = index_.objects[index_.releases[id].object].tree;
        const std::string cluster = tree.empty() ? cluster_of(one.root) : tree;
        const auto known = of_release_.find(id);
        if (known != of_release_.end()) {
            GraphNode& node = made_.nodes[known->second];
            if (node.cluster != cluster) node.cluster = several;
            return known->second;
        }
        const HelmRelease& release = index_.releases[id];
        const Object& object = index_.objects[release.object];
        const ReleaseEdges& edges = index_.release_edges[id];
        GraphNode node{GraphNode::Kind::release, object_name(object, one.ns)};
        node.place = object.name.place;
        node.cluster = cluster;
        if (is_set(release.target_namespace)) node.lines.push_back("installs into " + release.target_namespace.text);
        if (release.suspend.text == "true") node.lines.push_back("suspended");
        const std::uint32_t made = add(std::move(node));
        of_release_[id] = made;
        if (is_set(edges.chart_name)) {
            const std::uint32_t to = edges.chart != no_entity ? chart(edges.chart)
                                                              : upstream(GraphNode::Kind::chart, edges.chart_name.text,
                                                                         edges.registry, edges.chart_name.place);
            connect(GraphEdge::Kind::installs, made, to, edges.version.text);
        }
        if (edges.source != no_entity) connect(GraphEdge::Kind::from, made, source(edges.source));
        return made;
    }

    std::uint32_t source(EntityId id) {
        if (of_source_[id] != none) return of_source_[id];
        const Source& source = index_.sources[id];
        GraphNode node{GraphNode::Kind::source,
                       source.kind + " " + (is_set(source.ns) ? source.ns.text + "/" : "") + source.name.text};
        node.place = source.name.place;
        for (const Cell* cell : {&source.url, &source.tag, &source.semver, &source.branch})
            if (is_set(*cell)) node.lines.push_back(cell->text);
        return of_source_[id] = add(std::move(node));
    }

    std::uint32_t chart(EntityId id) {
        if (of_chart_[id] != none) return of_chart_[id];
        const Chart& chart = index_.charts[id];
        GraphNode node{GraphNode::Kind::chart, chart.name.text};
        node.place = chart.name.place;
        node.lines = {"version " + chart.version.text, chart.dir};
        pending_.push_back(id);
        return of_chart_[id] = add(std::move(node));
    }

    // A chart that is not here, one node for all who use it.
    std::uint32_t upstream(GraphNode::Kind kind, const std::string& name, const std::string& where, Place place) {
        const auto [known, fresh] = upstream_.emplace(name + " " + where, none);
        if (fresh) {
            GraphNode node{kind, name};
            if (!where.empty()) node.lines.push_back(where);
            node.place = place;
            known->second = add(std::move(node));
        }
        return known->second;
    }

    void charts() { // and their dependencies, as far as somebody installs them
        std::vector<std::vector<const DependencyEdge*>> edges(index_.charts.size());
        for (const DependencyEdge& edge : index_.dependency_edges)
            edges[edge.chart].push_back(&edge);
        while (!pending_.empty()) {
            const EntityId id = pending_.back();
            pending_.pop_back();
            for (const DependencyEdge* edge : edges[id]) {
                const ChartDependency& dependency = index_.charts[id].dependencies[edge->dependency];
                const std::uint32_t to =
                    edge->local != no_entity
                        ? chart(edge->local)
                        : upstream(GraphNode::Kind::dependency, dependency.name.text,
                                   registry_key(dependency.repository.text), dependency.name.place);
                connect(GraphEdge::Kind::depends, of_chart_[id], to, dependency.version.text);
            }
        }
    }

    void waits() {
        for (const auto& [flux, roots] : closure_.by_flux)
            for (EntityId other : index_.flux_edges[flux].depends_on)
                if (const auto to = closure_.by_flux.find(other); to != closure_.by_flux.end())
                    connect(GraphEdge::Kind::waits, of_root_[roots.front()], of_root_[to->second.front()]);
        for (const auto& [release, node] : of_release_)
            for (EntityId other : index_.release_edges[release].depends_on)
                if (const auto to = of_release_.find(other); to != of_release_.end())
                    connect(GraphEdge::Kind::waits, node, to->second);
        std::stable_sort(made_.edges.begin(), made_.edges.end(), [](const GraphEdge& a, const GraphEdge& b) {
            return std::tie(a.kind, a.from, a.to) < std::tie(b.kind, b.from, b.to); // by_flux has no order
        });
    }

    static void count_lines(GraphNode& node) {
        std::vector<std::pair<std::size_t, std::string>> kinds;
        std::size_t all = 0;
        for (const auto& [kind, count] : node.objects) {
            all += count;
            kinds.emplace_back(count, kind);
        }
        if (all == 0) return;
        std::stable_sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        std::string line = std::to_string(all) + (all == 1 ? " object:" : " objects:");
        for (std::size_t i = 0; i < kinds.size() && i < 3; ++i)
            line += (i ? ", " : " ") + std::to_string(kinds[i].first) + " " + kinds[i].second;
        node.lines.push_back(line + (kinds.size() > 3 ? ", …" : ""));
    }

    const Index& index_;
    const Closure& closure_;
    RepositoryGraph made_;
    std::vector<std::vector<std::uint32_t>> tops_;
    std::vector<std::uint32_t> of_root_, of_chart_, of_source_;
    std::map<EntityId, std::uint32_t> of_release_;
    std::map<std::string, std::uint32_t> upstream_;
    std::unordered_map<EntityId, EntityId> release_of_, flux_of_; // by object
    std::set<EntityId> source_objects_;
    std::set<std::tuple<GraphEdge::Kind, std::uint32_t, std::uint32_t, std::string>> joined_;
    std::vector<EntityId> pending_;
};

} // namespace

RepositoryGraph build_graph(const Index& index, const Closure& closure) {
    return Drawing(index, closure).draw();
}

std::string_view to_string(GraphNode::Kind kind) {
    switch (kind) {
    case GraphNode::Kind::flux:
        return "Flux Kustomization";
    case GraphNode::Kind::kustomization:
        return "kustomization";
    case GraphNode::Kind::release:
        return "HelmRelease";
    case GraphNode::Kind::chart:
        return "chart";
    case GraphNode::Kind::dependency:
        return "dependency";
    case GraphNode::Kind::source:
        return "source";
    }
    return "";
}

std::string_view to_string(GraphEdge::Kind kind) {
    switch (kind) {
    case GraphEdge::Kind::applies:
        return "applies";
    case GraphEdge::Kind::installs:
        return "installs";
    case GraphEdge::Kind::depends:
        return "depends on";
    case GraphEdge::Kind::from:
        return "from";
    case GraphEdge::Kind::waits:
        return "waits for";
    }
    return "";
}

} // namespace lockstep

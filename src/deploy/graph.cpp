// Roots, instances, releases and charts into nodes and edges.
#include "deploy/graph.h"
#include "deploy/applied_fields.h"
#include "index/cells.h"
#include <algorithm>
#include <set>

namespace lockstep {
namespace {

constexpr std::uint32_t none = no_number;
constexpr const char* several = "several clusters";

class Drawing {
public:
    Drawing(const Index& index, const Fleet& fleet)
        : index_(index), fleet_(fleet), of_root_(fleet.roots.size(), none), of_chart_(index.charts.size(), none),
          of_source_(index.sources.size(), none) {
        for (EntityId id = 0; id < index.releases.size(); ++id)
            release_of_[index.releases[id].object] = id;
        for (EntityId id = 0; id < index.flux_kustomizations.size(); ++id)
            flux_objects_.insert(index.flux_kustomizations[id].object);
        for (EntityId id = 0; id < index.sources.size(); ++id)
            source_objects_.insert(index.sources[id].object);
    }

    RepositoryGraph draw() {
        roots();
        for (const Instance& one : fleet_.instances)
            instance(one);
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

    std::string cluster_of(const Root& root) const {
        const std::string& name = fleet_.clusters[root.cluster].name;
        return name.empty() ? "." : name;
    }

    static std::string full_name(std::string_view ns, std::string_view name) {
        return (ns.empty() ? std::string() : std::string(ns) + "/") + std::string(name);
    }

    // Where something else applies a thing, a kustomization for local builds or tests does not count.
    bool adds_something(const Root& root) const {
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
            const EntityId object = fleet_.instances[i].object;
            if (object == no_entity || (!release_of_.count(object) && !flux_objects_.count(object))) continue;
            const auto all = fleet_.of_object(object);
            if (std::none_of(all.begin(), all.end(), [&](std::uint32_t number) {
                    return fleet_.root_of(fleet_.instances[number]).by != Root::By::alone;
                }))
                return true;
        }
        return false;
    }

    std::uint32_t flux(const Root& root) {
        GraphNode node{GraphNode::Kind::flux, full_name(root.ns, root.name)};
        node.place = root.maker == no_number ? root.place : fleet_.instances[root.maker].resource.document;
        if (root.flux != no_entity)
            node.place = index_.objects[index_.flux_kustomizations[root.flux].object].name.place;
        node.cluster = cluster_of(root);
        node.lines.push_back(root.spec.path.text.empty() ? "./" : root.spec.path.text);
        if (root.spec.suspend.text == "true") node.lines.push_back("suspended");
        if (root.certainty == Certainty::possible) node.lines.push_back("perhaps: " + root.why);
        for (const Gap& gap : root.gaps) {
            node.lines.push_back("open: " + gap.reason);
            break;
        }
        const std::uint32_t made = add(std::move(node));
        if (root.flux != no_entity && root.ours != Ours::yes)
            if (const EntityId from = index_.flux_edges[root.flux].source; from != no_entity)
                connect(GraphEdge::Kind::from, made, source(from));
        return made;
    }

    void roots() {
        std::map<EntityId, std::uint32_t> of_flux; // one Flux Kustomization may have several roots: clusters, folders
        for (std::uint32_t i = 0; i < fleet_.roots.size(); ++i) {
            const Root& root = fleet_.roots[i];
            if (root.by == Root::By::given || root.is_rendered()) continue;
            if (root.by != Root::By::flux) {
                if (root.by == Root::By::alone && !adds_something(root)) {
                    ++made_.left_out;
                    continue;
                }
                GraphNode node{GraphNode::Kind::kustomization, root.dir.empty() ? "." : root.dir};
                if (const auto made = index_.kustomization_by_dir.find(root.dir);
                    made != index_.kustomization_by_dir.end())
                    node.place = index_.kustomizations[made->second].place;
                node.cluster = cluster_of(root);
                of_root_[i] = add(std::move(node));
                continue;
            }
            if (root.flux == no_entity) {
                of_root_[i] = flux(root);
                continue;
            }
            const auto [known, fresh] = of_flux.emplace(root.flux, none);
            if (fresh)
                known->second = flux(root);
            else if (made_.nodes[known->second].cluster != cluster_of(root))
                made_.nodes[known->second].cluster = several;
            of_root_[i] = known->second;
        }
        for (std::uint32_t i = 0; i < fleet_.roots.size(); ++i)
            if (const std::uint32_t above = fleet_.roots[i].above;
                above != no_number && of_root_[i] != none && of_root_[above] != of_root_[i])
                connect(GraphEdge::Kind::applies, of_root_[above], of_root_[i]);
    }

    void instance(const Instance& one) {
        const Root& root = fleet_.root_of(one);
        const bool given = root.by == Root::By::given;
        if (of_root_[one.root] == none && !given) return;
        const auto release = one.object == no_entity ? release_of_.end() : release_of_.find(one.object);
        if (release != release_of_.end()) {
            connect(GraphEdge::Kind::applies, of_root_[one.root], this->release(release->second, one));
            return;
        }
        if (given || flux_objects_.count(one.object) || source_objects_.count(one.object)) return;
        ++made_.nodes[of_root_[one.root]].objects[std::string(one.id().kind)];
    }

    std::uint32_t release(EntityId id, const Instance& one) {
        const std::string cluster = cluster_of(fleet_.root_of(one));
        const auto known = of_release_.find(id);
        if (known != of_release_.end()) {
            GraphNode& node = made_.nodes[known->second];
            if (node.cluster != cluster) node.cluster = several;
            return known->second;
        }
        const HelmRelease& release = index_.releases[id];
        const Object& object = index_.objects[release.object];
        const ReleaseEdges& edges = index_.release_edges[id];
        GraphNode node{GraphNode::Kind::release, full_name(one.id().ns, one.id().name)};
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
            connect(GraphEdge::Kind::installs, made, to, version_of(id));
        }
        if (edges.source != no_entity) connect(GraphEdge::Kind::from, made, source(edges.source));
        return made;
    }

    // What clusters get; as it is written where none does.
    std::string version_of(EntityId release) const {
        std::string versions;
        const auto values = applied_values(index_, fleet_, index_.releases[release].object);
        const auto found = values.find("version");
        if (found == values.end()) return index_.release_edges[release].version.text;
        for (const AppliedValue& value : found->second)
            if (is_set(value.field.cell)) versions += (versions.empty() ? "" : ", ") + value.field.cell.text;
        return versions.empty() ? index_.release_edges[release].version.text : versions;
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
        for (std::uint32_t i = 0; i < fleet_.roots.size(); ++i) {
            const Root& root = fleet_.roots[i];
            if (root.flux == no_entity || of_root_[i] == none) continue;
            for (EntityId other : index_.flux_edges[root.flux].depends_on)
                for (std::uint32_t to : other == no_entity ? std::span<const std::uint32_t>() : fleet_.of_flux(other))
                    if (fleet_.roots[to].cluster == root.cluster)
                        connect(GraphEdge::Kind::waits, of_root_[i], of_root_[to]);
        }
        for (const auto& [release, node] : of_release_)
            for (EntityId other : index_.release_edges[release].depends_on)
                if (const auto to = of_release_.find(other); to != of_release_.end())
                    connect(GraphEdge::Kind::waits, node, to->second);
        std::stable_sort(made_.edges.begin(), made_.edges.end(), [](const GraphEdge& a, const GraphEdge& b) {
            return std::tie(a.kind, a.from, a.to) < std::tie(b.kind, b.from, b.to);
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
    const Fleet& fleet_;
    RepositoryGraph made_;
    std::vector<std::uint32_t> of_root_, of_chart_, of_source_;
    std::map<EntityId, std::uint32_t> of_release_;
    std::map<std::string, std::uint32_t> upstream_;
    std::unordered_map<EntityId, EntityId> release_of_; // by object
    std::set<EntityId> flux_objects_, source_objects_;
    std::set<std::tuple<GraphEdge::Kind, std::uint32_t, std::uint32_t, std::string>> joined_;
    std::vector<EntityId> pending_;
};

} // namespace

RepositoryGraph build_graph(const Index& index, const Fleet& fleet) {
    return Drawing(index, fleet).draw();
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

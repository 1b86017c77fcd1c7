// Climbs from a file: objects by the closure, charts by their releases, everything else by who lists it.
#include "index/ways.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

class Climb {
public:
    Climb(const Index& index, const Closure& closure) : index_(index), closure_(closure) {}

    Ways object(EntityId id) {
        Ways found;
        const Object& object = index_.objects[id];
        if (object.bootstrap) {
            Way way;
            way.ns = object.ns;
            way.name = object.name;
            way.steps.push_back({WayStep::By::bootstrap, id, object.outer, written(object.outer)});
            found.ways.push_back(std::move(way));
        }
        const auto applied = closure_.by_object.of(id);
        for (std::uint32_t number : applied)
            add_applied(found, closure_.applied[number]);
        if (object.in_templates && applied.empty()) {
            const auto chart = index_.chart_by_dir.find(object.chart);
            if (chart != index_.chart_by_dir.end()) add(found, this->chart(chart->second));
        }
        return found;
    }

    Ways kustomization(EntityId id) {
        Ways found;
        for (std::uint32_t i = 0; i < closure_.steps.size(); ++i)
            if (closure_.steps[i].kustomization == id) climb(found, i, {});
        return found;
    }

    // Through releases, and through charts that depend on it.
    Ways chart(EntityId id) {
        Ways found;
        if (std::find(charts_.begin(), charts_.end(), id) != charts_.end()) return found;
        charts_.push_back(id);
        for (EntityId r = 0; r < index_.releases.size(); ++r) {
            if (index_.release_edges[r].chart != id) continue;
            const Cell& pin = index_.release_edges[r].version;
            const WayStep step{WayStep::By::release, r, pin.place, pin.text};
            add(found, object(index_.releases[r].object), step);
        }
        for (const DependencyEdge& edge : index_.dependency_edges) {
            if (edge.local != id) continue;
            const ChartDependency& dependency = index_.charts[edge.chart].dependencies[edge.dependency];
            const WayStep step{WayStep::By::chart, edge.chart, dependency.name.place,
                               dependency.name.text + " " + dependency.version.text};
            add(found, chart(edge.chart), step);
        }
        charts_.pop_back();
        return found;
    }

private:
    std::string written(Place place) const {
        if (!is_there(place)) return {};
        const std::string& text = index_.tree->files[place.file].text;
        return text.substr(place.span.begin, place.span.end - place.span.begin);
    }

    static void add(Ways& to, Ways from, std::optional<WayStep> last = {}) {
        to.more = to.more || from.more;
        for (Way& way : from.ways) {
            if (to.ways.size() >= most_ways) {
                to.more = true;
                return;
            }
            if (last) way.steps.push_back(*last);
            to.ways.push_back(std::move(way));
        }
    }

    void add_applied(Ways& to, const Applied& applied) {
        Ways found;
        climb(found, applied.step, applied.entry);
        for (Way& way : found.ways) {
            way.ns = applied.ns;
            way.name = applied.name;
            way.sure = way.sure && applied.sure;
        }
        add(to, std::move(found));
    }

    // All ways down to a step; `entry` is what its kustomization leads on by.
    void climb(Ways& to, std::uint32_t step, Place entry) {
        Way below;
        const std::vector<std::uint32_t> chain = chain_of(closure_, step);
        for (std::size_t i = 0; i < chain.size(); ++i) {
            const Step& here = closure_.steps[chain[i]];
            const Place next = i + 1 < chain.size() ? closure_.steps[chain[i + 1]].entry : entry;
            if (here.kustomization == no_entity)
                below.steps.push_back({WayStep::By::folder, no_entity, here.entry, closure_.roots[here.root].dir});
            else
                below.steps.push_back({WayStep::By::kustomization, here.kustomization, next, written(next)});
        }
        const std::uint32_t number = closure_.steps[step].root;
        const ClosureRoot& root = closure_.roots[number];
        below.sure = root.sure;
        if (root.flux == no_entity) return add(to, Ways{{std::move(below)}, false});
        const FluxKustomization& flux = index_.flux_kustomizations[root.flux];
        const WayStep own{WayStep::By::flux, root.flux, closure_.steps[chain.front()].entry, flux.path.text};
        for (Way& above : flux_ways(number).ways) {
            above.steps.push_back(own);
            above.steps.insert(above.steps.end(), below.steps.begin(), below.steps.end());
            above.sure = above.sure && below.sure;
            add(to, Ways{{std::move(above)}, false});
        }
    }

    // Ways down to a Flux Kustomization; one empty way when nothing in the tree applies it.
    Ways flux_ways(std::uint32_t root) {
        Ways found;
        const bool again = std::find(roots_.begin(), roots_.end(), root) != roots_.end();
        roots_.push_back(root);
        if (!again && roots_.size() < 64) {
            const EntityId id = index_.flux_kustomizations[closure_.roots[root].flux].object;
            for (std::uint32_t number : closure_.by_object.of(id)) {
                const Applied& applied = closure_.applied[number];
                // flux-system applies itself: that way leads nowhere new
                if (std::find(roots_.begin(), roots_.end(), applied.root) == roots_.end())
                    climb(found, applied.step, applied.entry);
            }
            if (found.ways.empty() && index_.objects[id].bootstrap) add(found, object(id));
            for (Way& way : found.ways)
                if (way.cluster.empty()) way.cluster = cluster_name(index_, closure_, root);
        }
        roots_.pop_back();
        if (found.ways.empty()) {
            Way top;
            top.cluster = cluster_name(index_, closure_, root);
            found.ways.push_back(std::move(top));
        }
        return found;
    }

    const Index& index_;
    const Closure& closure_;
    std::vector<std::uint32_t> roots_; // on the way up
    std::vector<EntityId> charts_;
};

// Where Flux applies a thing, a kustomization for local builds or tests does not count.
void leave_to_flux(Ways& found) {
    auto by_hand = [](const Way& way) {
        return !way.steps.empty() && way.steps.front().by == WayStep::By::kustomization;
    };
    if (!std::all_of(found.ways.begin(), found.ways.end(), by_hand)) std::erase_if(found.ways, by_hand);
}

Part::As part_of(Listing as) {
    if (as == Listing::patch) return Part::As::patch;
    if (as == Listing::generated_from) return Part::As::generated_from;
    return Part::As::other_listing;
}

void hint_at(const Index& index, const Closure& closure, EntityId id, FileWays& found) {
    const Object& object = index.objects[id];
    const std::string& path = index.tree->files[object.file].path;
    auto known = [&](const Place& place) {
        return std::any_of(found.hints.begin(), found.hints.end(),
                           [&](const Hint& hint) { return hint.place == place; });
    };
    for (std::uint32_t number : find_applied(closure, object.kind.text, "", object.name.text)) {
        const Applied& other = closure.applied[number];
        if (other.object == no_entity || known(index.objects[other.object].name.place)) continue;
        found.hints.push_back(
            {"an object of the same kind and name is applied from here", index.objects[other.object].name.place});
    }
    if (object.in_templates) {
        const auto chart = index.chart_by_dir.find(object.chart);
        if (chart == index.chart_by_dir.end() || known(index.charts[chart->second].name.place)) return;
        found.hints.push_back(
            {"its chart is installed by no HelmRelease of this tree", index.charts[chart->second].name.place});
        return;
    }
    for (std::string_view dir = directory_of(path);; dir = directory_of(dir)) {
        const auto near = index.kustomization_by_dir.find(std::string(dir));
        if (near != index.kustomization_by_dir.end()) {
            Place place = index.kustomizations[near->second].place;
            place.span.end = place.span.begin;
            if (!known(place)) found.hints.push_back({"the nearest kustomization does not list it", place});
            return;
        }
        if (dir.empty()) break;
    }
    const Place whole{object.file, {object.document.begin, object.document.begin}};
    if (!known(whole))
        found.hints.push_back(
            {"no kustomization stands beside it or above, and no Flux Kustomization's path leads here", whole});
}

FileWays all_ways(const Index& index, const Closure& closure, FileId file) {
    Climb climb(index, closure);
    FileWays found;
    for (EntityId id = 0; id < index.kustomizations.size(); ++id)
        if (index.kustomizations[id].file == file && !index.kustomizations[id].embedded)
            found.parts.push_back({Part::As::kustomization, id, climb.kustomization(id), {}});
    for (std::uint32_t number : index.listers.of(file)) {
        const ListedEdge& edge = index.listed_edges[number];
        const Listed& entry = index.kustomizations[edge.kustomization].listed[edge.entry];
        if (entry.as == Listing::resource || entry.as == Listing::base || entry.as == Listing::component) continue;
        Part part{part_of(entry.as), edge.kustomization, climb.kustomization(edge.kustomization), {}};
        for (Way& way : part.ways.ways)
            way.steps.back().place = entry.path.place, way.steps.back().text = entry.path.text;
        found.parts.push_back(std::move(part));
    }
    const bool used = !found.parts.empty();
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        const bool counts = object.file == file && object.group != "kustomize.config.k8s.io" && is_set(object.name);
        if (!counts || (object.embedded && !object.bootstrap)) continue;
        Part part{Part::As::object, id, climb.object(id), {}};
        for (const Removed& removed : closure.removed)
            if (removed.object == id) part.removed_by.push_back(removed.patch);
        if (part.ways.ways.empty() && used) continue; // a patch document
        if (part.ways.ways.empty() && part.removed_by.empty()) hint_at(index, closure, id, found);
        found.parts.push_back(std::move(part));
    }
    if (!found.parts.empty()) return found;
    // Values, Chart.yaml and all else in a chart's folder belong to the chart.
    for (std::string_view dir = directory_of(index.tree->files[file].path);; dir = directory_of(dir)) {
        const auto chart = index.chart_by_dir.find(std::string(dir));
        if (chart != index.chart_by_dir.end()) {
            found.parts.push_back({Part::As::chart, chart->second, climb.chart(chart->second), {}});
            if (found.parts.back().ways.ways.empty())
                found.hints.push_back(
                    {"its chart is installed by no HelmRelease of this tree", index.charts[chart->second].name.place});
            return found;
        }
        if (dir.empty()) return found;
    }
}

} // namespace

std::string cluster_name(const Index& index, const Closure& closure, std::uint32_t top) {
    const ClosureRoot& root = closure.roots[top];
    if (root.flux != no_entity) {
        const Object& object = index.objects[index.flux_kustomizations[root.flux].object];
        if (!object.tree.empty()) return object.tree;
    }
    const bool in_tree = root.kustomization != no_entity && !index.kustomizations[root.kustomization].tree.empty();
    return in_tree ? index.kustomizations[root.kustomization].tree : root.dir;
}

FileWays ways_of(const Index& index, const Closure& closure, FileId file) {
    FileWays found = all_ways(index, closure, file);
    for (Part& part : found.parts)
        leave_to_flux(part.ways);
    return found;
}

} // namespace lockstep

// The parts of one file with their chains, and what is near those that nothing applies.
#include "deploy/why.h"
#include "deploy/flux_folder.h"
#include "deploy/flux_spec.h"
#include "index/cells.h"
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace lockstep {
namespace {

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

// Where a file says that there is such an object: its name, else its kind, else the action that prints all of it.
Place said_in(const Instance& one, const Value* tree, FileId file) {
    for (const Value* value : {value_at(tree, {"metadata", "name"}), value_at(tree, {"kind"})})
        if (value && (value->changed_by.file == file || value->place.file == file))
            return value->changed_by.file == file ? value->changed_by : value->place;
    return one.resource.document.file == file ? one.resource.document : Place{};
}

// Objects that Helm makes of values alone: no template has them written out.
void add_rendered(const Fleet& fleet, const Chains& search, FileId file, std::vector<Part>& parts) {
    std::map<std::tuple<Place, std::string, std::string>, std::vector<std::uint32_t>> found;
    for (std::uint32_t number = 0; number < fleet.instances.size(); ++number) {
        const Instance& one = fleet.instances[number];
        if (one.object != no_entity || !fleet.is_rendered(one)) continue;
        Arena arena;
        const Place place = said_in(one, fleet.tree_of(one, arena), file);
        if (is_there(place)) found[{place, std::string(one.id().kind), std::string(one.id().name)}].push_back(number);
    }
    for (const auto& [key, numbers] : found) {
        Part part{Part::As::rendered, no_entity, search.of_instances(numbers), {}};
        std::tie(part.place, part.kind, part.name) = key;
        if (!part.found.chains.empty()) parts.push_back(std::move(part));
    }
}

} // namespace

FileChains chains_of_file(const Index& index, const Fleet& fleet, FileId file, std::size_t most) {
    const Chains search(index, fleet, most);
    FileChains found;
    Hints hints{index, fleet, found.hints};
    for (EntityId id = 0; id < index.kustomizations.size(); ++id)
        if (index.kustomizations[id].file == file && !index.kustomizations[id].embedded)
            found.parts.push_back({Part::As::kustomization, id, search.of_kustomization(id, {}), {}});
    for (std::uint32_t number : index.listers.of(file)) {
        const ListedEdge& edge = index.listed_edges[number];
        const Listed& entry = index.kustomizations[edge.kustomization].listed[edge.entry];
        if (entry.as == Listing::resource || entry.as == Listing::base || entry.as == Listing::component) continue;
        found.parts.push_back(
            {part_of(entry.as), edge.kustomization, search.of_kustomization(edge.kustomization, entry.path.place), {}});
    }
    const bool is_kustomization = fleet.kustomization_in(file) != no_entity;
    const bool built = std::any_of(found.parts.begin(), found.parts.end(), [](const Part& part) {
        return part.as == Part::As::kustomization && !nothing_applies(part);
    });
    if (!(is_kustomization && built) && !fleet.refusals_of(file).empty())
        found.parts.push_back({Part::As::refused, no_entity, search.of_refused(file), {}});
    const bool used = !found.parts.empty();
    for (EntityId id = 0; id < index.objects.size(); ++id) {
        const Object& object = index.objects[id];
        const bool counts = object.file == file && object.group != "kustomize.config.k8s.io" && is_set(object.name);
        if (!counts || (object.embedded && !object.bootstrap)) continue;
        Part part{Part::As::object, id, search.of_object(id), removed_by(fleet, {file, object.document})};
        if (part.found.chains.empty() && part.removed_by.empty() && used) continue; // a patch document
        if (nothing_applies(part) && part.removed_by.empty()) hints.look_around(object);
        found.parts.push_back(std::move(part));
    }
    const std::size_t written_out = found.parts.size();
    add_rendered(fleet, search, file, found.parts);
    if (written_out > 0) return found;
    const std::size_t rendered = found.parts.size();
    for (std::uint32_t number : index.listers.of(file)) { // a file that cannot be read
        const ListedEdge& edge = index.listed_edges[number];
        const Place entry = index.kustomizations[edge.kustomization].listed[edge.entry].path.place;
        found.parts.push_back(
            {Part::As::other_listing, edge.kustomization, search.of_kustomization(edge.kustomization, entry), {}});
    }
    if (found.parts.size() > rendered) return found;
    // Values, Chart.yaml and all else in a chart's folder belong to the chart.
    for (std::string_view dir = directory_of(index.tree->files[file].path);; dir = directory_of(dir)) {
        const auto chart = index.chart_by_dir.find(std::string(dir));
        if (chart != index.chart_by_dir.end()) {
            found.parts.push_back({Part::As::chart, chart->second, search.of_chart(chart->second), {}});
            if (found.parts.size() == 1 && found.parts.back().found.chains.empty()) hints.add_chart(chart->second);
            return found;
        }
        if (dir.empty()) return found;
    }
}

} // namespace lockstep

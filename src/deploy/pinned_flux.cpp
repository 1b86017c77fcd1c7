// From an object to the sites that say which Flux applies it: its cluster's own, else those that all clusters share.
#include "deploy/pinned_flux.h"
#include "deploy/fleet.h"
#include "index/cells.h"
#include "index/side_paths.h"
#include <algorithm>
#include <numeric>

namespace lockstep {
namespace {

using Status = FluxSite::Status;

FluxPin pin_of(const FluxSite& site, const FluxKnowledge& knowledge) {
    FluxPin pin;
    pin.said = clause(site);
    pin.group = site.group;
    pin.place = site.pin.place;
    pin.flux = site.flux;
    if (site.status == Status::range) {
        pin.range = true;
        const auto range = Range::parse(site.flux);
        pin.flux = range ? knowledge.newest_in(*range) : std::string();
        if (range) pin.oldest = parse_version(knowledge.oldest_in(*range)).value_or(Version());
        if (const auto newest = parse_version(knowledge.newest()); range && newest) {
            Version next = *newest, major = *newest;
            ++next.minor;
            next.patch = 0;
            ++major.major;
            major.minor = major.patch = 0;
            pin.open = range->contains(next) || range->contains(major);
        }
    }
    if (const auto version = parse_version(pin.flux)) {
        pin.version = *version;
        if (!pin.range) pin.oldest = *version;
        pin.newer = knowledge.is_newer(*version);
        pin.open = pin.open || pin.newer;
    } else {
        pin.flux.clear();
    }
    return pin;
}

bool is_in_chart_folder(std::string_view path, std::string_view folder) {
    return folder == "." || (path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/');
}

} // namespace

PinnedFlux::PinnedFlux(const Repository& repository, const Config& config, const FluxFacts* facts,
                       const FluxKnowledge& knowledge)
    : index_(repository.index), config_(config), one_cluster_(!facts) {
    if (!facts) return;
    const FluxReleases known(facts->charts, facts->releases);
    for (const FluxSite& site : flux_sites(index_, config_, *facts, known)) {
        if (site.kind == FluxSite::Kind::hint) continue;
        Group& group = groups_[site.group];
        FluxPin pin =
            site.status == Status::exact || site.status == Status::range ? pin_of(site, knowledge) : FluxPin();
        if (pin.flux.empty()) {
            group.undecided = site.why.empty() ? "no release that is known is in " + site.flux : site.why;
            continue;
        }
        bool seen = false;
        for (const FluxPin& other : group.pins)
            seen = seen || compare(other.version, pin.version) == 0;
        if (!seen) group.pins.push_back(std::move(pin));
    }
    one_cluster_ = groups_.empty() || (groups_.size() == 1 && groups_.count("") != 0);
    for (const FluxKustomization& flux : index_.flux_kustomizations)
        one_cluster_ = one_cluster_ && !is_there(flux.kube_config);
    if (one_cluster_)
        everywhere_ = of_groups({""});
    else
        find_clusters(fleet_of(repository));
    releases_of_chart_.resize(index_.charts.size());
    for (EntityId id = 0; id < index_.releases.size(); ++id)
        if (const EntityId chart = index_.release_edges[id].chart; chart != no_entity)
            releases_of_chart_[chart].push_back(id);
}

// The cluster that the file is in: its tree, or the folder of one that has pins of its own.
void PinnedFlux::add_group_of(FileId file, std::set<std::string>& groups) const {
    const std::string& tree = index_.file_trees[file];
    if (!tree.empty()) {
        const bool own = tree != config_.template_tree && groups_.count(tree) != 0;
        if (own || groups_.count("") != 0) groups.insert(own ? tree : std::string());
        return;
    }
    const std::string& path = index_.tree->files[file].path;
    std::string best;
    for (const auto& [name, group] : groups_)
        if (!name.empty() && is_in_chart_folder(path, name) && (best.empty() || name.size() > best.size())) best = name;
    if (!best.empty()) groups.insert(best);
}

// Every file that clusters get something of: manifests, patches, kustomizations and what these list.
void PinnedFlux::find_clusters(const Fleet& fleet) {
    clusters_of_.resize(index_.tree->files.size());
    cluster_groups_.resize(fleet.clusters.size());
    auto add = [&](FileId file, std::uint32_t cluster) {
        if (file >= clusters_of_.size()) return;
        auto& found = clusters_of_[file];
        if (found.empty() || found.back() != cluster) found.push_back(cluster);
    };
    std::vector<std::vector<FileId>> listed(index_.kustomizations.size());
    for (const ListedEdge& edge : index_.listed_edges)
        if (edge.target == Target::file) listed[edge.kustomization].push_back(edge.file);
    std::set<std::pair<EntityId, std::uint32_t>> done;
    std::vector<std::uint32_t> order(fleet.roots.size()); // cluster by cluster
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return fleet.roots[a].cluster < fleet.roots[b].cluster; });
    for (std::uint32_t number : order) {
        const Root& root = fleet.roots[number];
        if (root.certainty == Certainty::loose) continue;
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
            add(fleet.instances[i].resource.document.file, root.cluster);
            for (const Touch* touch = fleet.instances[i].resource.patches; touch; touch = touch->before)
                add(touch->by.file, root.cluster);
        }
        for (const std::string& folder : root.folders)
            if (const auto made = index_.kustomization_by_dir.find(folder);
                made != index_.kustomization_by_dir.end() && done.emplace(made->second, root.cluster).second) {
                add(index_.kustomizations[made->second].file, root.cluster);
                for (FileId file : listed[made->second])
                    add(file, root.cluster);
            }
    }
    for (std::uint32_t cluster = 0; cluster < fleet.clusters.size(); ++cluster)
        for (std::uint32_t top : fleet.clusters[cluster].tops)
            if (const FileId file = fleet.roots[top].place.file; file != no_file) {
                add_group_of(file, cluster_groups_[cluster]);
                // What cloud-init begins with has the Flux that cloud-init installs.
                if (cluster_groups_[cluster].empty() && index_.file_trees[file].empty() && groups_.count(""))
                    cluster_groups_[cluster].insert("");
            }
    for (const Root& root : fleet.roots)
        if (!root.spec.cluster.empty()) elsewhere_.insert(root.cluster);
}

std::set<std::string> PinnedFlux::groups_of(FileId file) const {
    std::set<std::string> groups;
    add_group_of(file, groups);
    if (!groups.empty() || !index_.file_trees[file].empty() || clusters_of_.empty()) return groups;
    for (std::uint32_t cluster : clusters_of_[file])
        groups.insert(cluster_groups_[cluster].begin(), cluster_groups_[cluster].end());
    return groups;
}

Pinned PinnedFlux::of_groups(const std::set<std::string>& groups) const {
    Pinned pinned;
    for (const std::string& name : groups) {
        const auto found = groups_.find(name);
        if (found == groups_.end()) continue;
        pinned.split = pinned.split || found->second.pins.size() > 1;
        if (found->second.pins.empty()) pinned.undecided = found->second.undecided;
        for (const FluxPin& pin : found->second.pins)
            pinned.pins.push_back(pin);
    }
    // What some cluster pins can be judged, even if another one's pin cannot be read.
    if (!pinned.pins.empty()) pinned.undecided.clear();
    return pinned;
}

const Pinned& PinnedFlux::of_file(FileId file) {
    if (one_cluster_) return everywhere_;
    const auto found = by_file_.find(file);
    if (found != by_file_.end()) return found->second;
    Pinned pinned;
    for (std::uint32_t cluster : clusters_of_[file])
        if (elsewhere_.count(cluster)) pinned.undecided = "applied to another cluster by spec.kubeConfig";
    if (pinned.undecided.empty()) {
        const std::set<std::string> groups = groups_of(file);
        pinned = of_groups(groups);
        if (groups.empty() && clusters_of_[file].empty())
            pinned.undecided = "nothing applies it: which Flux it meets is not known";
    }
    return by_file_.emplace(file, std::move(pinned)).first->second;
}

Pinned PinnedFlux::of_all() const {
    std::set<std::string> groups;
    for (const auto& [name, group] : groups_)
        groups.insert(name);
    return of_groups(groups);
}

Pinned PinnedFlux::of_chart(EntityId chart) {
    std::set<std::string> groups;
    for (const EntityId release : releases_of_chart_.empty() ? std::vector<EntityId>() : releases_of_chart_[chart])
        groups.merge(groups_of(index_.objects[index_.releases[release].object].file));
    return groups.empty() ? of_file(index_.charts[chart].file) : of_groups(groups);
}

Pinned PinnedFlux::of_object(const Object& object) {
    Pinned pinned;
    if (is_side_path(index_, object.file)) {
        pinned.undecided = "an example or a test";
        return pinned;
    }
    if (object.embedded && !object.bootstrap) {
        pinned.undecided = "a text inside another object";
        return pinned;
    }
    if (object.bootstrap && !one_cluster_ && clusters_of_[object.file].empty()) return of_groups({""});
    const auto chart = object.in_templates ? index_.chart_by_dir.find(object.chart) : index_.chart_by_dir.end();
    return chart != index_.chart_by_dir.end() ? of_chart(chart->second) : of_file(object.file);
}

Reach reach(const FluxKnowledge& knowledge, const Pinned& pinned, std::string_view since) {
    Reach found;
    for (const FluxPin& pin : pinned.pins) {
        const Known has = knowledge.has(pin.version, since);
        if (has == Known::no && !pin.open) found.without.push_back(&pin);
        found.unsure = found.unsure || has == Known::unsure || (has == Known::no && pin.open);
    }
    found.all = !pinned.pins.empty() && found.without.size() == pinned.pins.size();
    return found;
}

} // namespace lockstep

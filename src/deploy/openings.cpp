// Reads gaps of roots, and kinds of what they apply; never texts.
#include "deploy/openings.h"
#include "deploy/rendered_chart.h"
#include "index/cells.h"
#include "index/links.h"
#include "index/own_sources.h"
#include "yaml/data_table.h"
#include <algorithm>

namespace lockstep {
namespace {

// Groups of Kubernetes itself and of kinds that only describe: their objects make nothing of another name.
bool makes_nothing(std::string_view group, std::string_view kind) {
    if (group.empty() || group == "apps" || group == "batch" || group == "policy" || group == "autoscaling")
        return true;
    if (group.ends_with(".k8s.io")) return !group.ends_with("x-k8s.io");
    static const std::vector<DataRow> describing = data_table("makes-nothing");
    const auto is_row = [&](const DataRow& row) {
        return row.size() == 2 && row[0] == group && (row[1] == "*" || row[1] == kind);
    };
    if (std::any_of(describing.begin(), describing.end(), is_row)) return true;
    return is_flux_group(group) || group == "fluxcd.controlplane.io";
}

// Published files of other projects: definitions and controllers, no releases and sources of Flux.
bool is_published_manifest(std::string_view url) {
    const std::string_view path = url.substr(0, url.find('?'));
    if (url.starts_with("http") && (path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".json")))
        return true;
    for (std::string_view part : {"crd", "CRD", "/releases/download/", "fluxcd/flux2", "/config/", "/deploy/"})
        if (url.find(part) != std::string_view::npos) return true;
    return false;
}

bool holds(std::string_view folder, std::string_view path) {
    return folder.empty() || path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

} // namespace

bool is_flux_group(std::string_view group) {
    return group.ends_with("toolkit.fluxcd.io");
}

Openings::Openings(const Fleet& fleet, const Index& index, const std::vector<MakerRow>& makers,
                   std::vector<InstalledChart> installed)
    : fleet_(fleet), index_(index), installed_(std::move(installed)) {
    for (const MakerRow& row : makers)
        known_makers_.push_back(row.by);
    for (std::uint32_t number = 0; number < fleet.roots.size(); ++number) {
        const Root& root = fleet.roots[number];
        if (root.certainty == Certainty::loose) continue;
        roots_[root.cluster].push_back(number);
        const bool top = root.by == Root::By::alone || root.by == Root::By::config;
        if (top || (root.by == Root::By::given && !root.begins)) unseen_[root.cluster].push_back(root.dir);
    }
}

// Flux itself, or the folder of definitions of some project.
bool Openings::is_definitions_only(const Root& root) const {
    if (root.source == no_entity || !is_known(index_.sources[root.source].url)) return false;
    const std::string key = repository_key(index_.sources[root.source].url.text);
    if (is_of_flux(key)) return true;
    const std::string path = clamp_path(root.spec.path.text);
    for (std::string_view word : {"crd", "crds"}) // `config/crd`, `crds-postgres`, `postgres-crds`
        if (file_name_of(path) == word || root.name.starts_with(std::string(word) + "-") ||
            root.name.ends_with("-" + std::string(word)) || root.name == word)
            return true;
    return false;
}

bool Openings::brings_no_flux_objects(const Gap& gap) const {
    if (gap.place.file >= index_.tree->files.size()) return false;
    const std::string_view text = index_.tree->files[gap.place.file].text;
    std::string_view url = text.substr(gap.place.span.begin, gap.place.span.end - gap.place.span.begin);
    while (url.starts_with('"') || url.starts_with('\'') || url.starts_with('-') || url.starts_with(' '))
        url.remove_prefix(1);
    while (url.ends_with('"') || url.ends_with('\'') || url.ends_with(' ') || url.ends_with('\n'))
        url.remove_suffix(1);
    return is_published_manifest(url);
}

void Openings::add_gaps(const Root& root, OfCluster& made) const {
    const std::string ns = is_known(root.spec.target_namespace) ? root.spec.target_namespace.text : std::string();
    const std::string who = "Kustomization " + root.name;
    for (const Gap& gap : root.gaps) {
        if (root.is_rendered()) {
            made[Brings::no_flux_objects].try_emplace(root.ns, "the chart of release " + root.name + ": " + gap.reason);
            continue;
        }
        switch (gap.why) {
        case Gap::Why::missing: // nothing is applied, and a rule of its own says so
            if (index_.tree->is_unlisted(root.dir)) made[Brings::anything].try_emplace(ns, who + ": " + gap.reason);
            break;
        case Gap::Why::unknown:
            made[root.source == no_entity ? Brings::no_sources : Brings::anything].try_emplace(
                ns, who + " may apply another repository, which may have it");
            break;
        case Gap::Why::remote:
            if (root.ours == Ours::no)
                made[is_definitions_only(root) ? Brings::no_flux_objects : Brings::anything].try_emplace(
                    ns, who + " applies another repository, which may have it");
            else
                made[brings_no_flux_objects(gap) ? Brings::no_flux_objects : Brings::anything].try_emplace(
                    ns, who + " builds a remote base, which may have it");
            break;
        case Gap::Why::chart:
            made[Brings::no_flux_objects].try_emplace(ns, who + " renders a chart that is not at hand");
            break;
        case Gap::Why::templated:
        case Gap::Why::plugin:
        case Gap::Why::unread:
            made[Brings::anything].try_emplace(ns, who + ": " + gap.reason);
            break;
        }
    }
}

// A release may bring what its chart likes, an object of an operator what the operator likes, both next to themselves.
void Openings::add_instance(std::uint32_t number, OfCluster& made) const {
    const Instance& one = fleet_.instances[number];
    const ResourceId& id = one.id();
    const std::string name = std::string(id.kind) + " " + std::string(id.name);
    if (id.kind == "HelmRelease" && is_flux_group(id.group)) {
        const ReleaseRow* row = fleet_.release_of(number);
        if (row && row->root != no_number && row->rendered->complete()) return; // all of it is shown
        Arena arena;
        const Value* tree = fleet_.tree_of(one, arena);
        const Cell target = cell_at(tree, {"spec", "targetNamespace"});
        std::string ns = is_known(target) ? target.text : std::string(id.ns);
        if (target.state == State::templated || !one.ns_known) ns.clear();
        const Cell chart = cell_at(tree, {"spec", "chart", "spec", "chart"});
        if (chart.text == "flux2-sync") made[Brings::sync].try_emplace(ns, name + " installs a sync of Flux");
        made[Brings::no_flux_objects].try_emplace(std::move(ns), "the chart of " + name + " may bring it");
        return;
    }
    if (makes_nothing(id.group, id.kind)) return;
    const GroupKind own{std::string(id.group), std::string(id.kind)};
    if (std::find(known_makers_.begin(), known_makers_.end(), own) != known_makers_.end()) return;
    if (own.kind == "CustomResourceDefinition") return;
    made[Brings::no_flux_objects].try_emplace(one.ns_known && !one.cluster_scoped ? std::string(id.ns) : std::string(),
                                              "the controller of " + name + " may make it");
}

const Openings::OfCluster& Openings::of(std::uint32_t cluster) {
    const auto [known, fresh] = openings_.try_emplace(cluster);
    if (!fresh) return known->second;
    const auto roots = roots_.find(cluster);
    if (roots == roots_.end()) return known->second;
    for (std::uint32_t number : roots->second)
        add_gaps(fleet_.roots[number], known->second);
    for (std::uint32_t number : roots->second) {
        const Root& root = fleet_.roots[number];
        for (std::uint32_t i = root.first; i < root.first + root.count; ++i)
            add_instance(i, known->second);
    }
    for (const InstalledChart& one : installed_)
        known->second[Brings::no_flux_objects].try_emplace(one.ns, one.by + " may bring it");
    return known->second;
}

std::string Openings::reason(std::uint32_t cluster, const GroupKind& wanted, std::string_view ns, bool charts) {
    const bool flux = is_flux_group(wanted.group), source = wanted.group == flux_source_group;
    for (const auto& [brings, reasons] : of(cluster)) {
        if ((flux || !charts) && brings == Brings::no_flux_objects) continue;
        if (source && brings == Brings::no_sources) continue;
        if (brings == Brings::sync && wanted.kind != "GitRepository" && wanted.kind != "Kustomization") continue;
        if (ns.empty() && !reasons.empty()) return reasons.begin()->second;
        for (std::string_view where : {std::string_view(), ns})
            if (const auto found = reasons.find(where); found != reasons.end()) return found->second;
    }
    return {};
}

std::string Openings::outside(std::uint32_t cluster, const GroupKind& wanted) const {
    if (wanted.group.empty() && (wanted.kind == "Secret" || wanted.kind == "ConfigMap"))
        return "a " + wanted.kind + " may be made by hand, by a chart or by a controller";
    bool begins_here = false;
    const auto roots = roots_.find(cluster);
    if (roots == roots_.end()) return "nothing in this tree applies it";
    for (std::uint32_t number : roots->second) {
        const Root& root = fleet_.roots[number];
        begins_here =
            begins_here || root.by == Root::By::given || (root.by == Root::By::flux && root.above == no_number);
        if (root.above != no_number && fleet_.roots[root.above].cluster != cluster)
            return "the other cluster may have it already";
    }
    return begins_here ? std::string() : "whoever applies " + fleet_.clusters[cluster].name + " may bring it";
}

bool Openings::is_below_unseen_sync(std::uint32_t cluster, std::string_view path) const {
    const auto unseen = unseen_.find(cluster);
    return unseen != unseen_.end() && std::any_of(unseen->second.begin(), unseen->second.end(),
                                                  [&](const std::string& dir) { // what is beside it, too
                                                      const std::string_view around = directory_of(dir);
                                                      return holds(around.empty() ? dir : around, path);
                                                  });
}

} // namespace lockstep

// Which registries are ours, and from that which local chart a release means.
#include "index/links.h"
#include <set>

namespace lockstep {

std::string registry_key(std::string_view url) {
    std::size_t scheme = url.find("://");
    if (scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
    while (!url.empty() && url.back() == '/')
        url.remove_suffix(1);
    std::string key(url);
    for (char& c : key) {
        if (c == '/') break;
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return key;
}

bool is_own_registry(const Index& index, std::string_view key) {
    for (const std::string& own : index.own_registry_keys)
        if (key == own || (key.starts_with(own) && key[own.size()] == '/')) return true;
    return false;
}

namespace {

constexpr std::size_t charts_that_make_it_ours = 3;

// In a catalyst tree the registry that the kit uses for most of the tree's charts. Elsewhere equal names prove nothing:
// a chart of the tree and one of a public registry may well be called alike.
std::string kit_registry(const Index& index) {
    std::map<std::string, std::set<std::string>> charts_of;
    std::set<std::string> all;
    for (const ReleaseEdges& edges : index.release_edges) {
        if (edges.registry.empty() || !is_known(edges.chart_name)) continue;
        if (index.charts_by_name.count(edges.chart_name.text) == 0) continue;
        charts_of[edges.registry].insert(edges.chart_name.text);
        all.insert(edges.chart_name.text);
    }
    for (const auto& [registry, charts] : charts_of)
        if (charts.size() >= charts_that_make_it_ours && 2 * charts.size() > all.size()) return registry;
    return {};
}

// An OCIRepository's url ends with the chart's own name.
void take_oci(ReleaseEdges& edges, const Source& source) {
    edges.version = is_set(source.tag) ? source.tag : source.semver;
    edges.chart_name = source.url;
    if (!is_known(source.url)) return;
    std::string key = registry_key(source.url.text);
    std::size_t slash = key.rfind('/');
    if (slash == std::string::npos) return;
    edges.chart_name.text = key.substr(slash + 1);
    edges.registry = key.substr(0, slash);
}

ReleaseEdges pulled_from(const Index& index, const HelmRelease& release) {
    ReleaseEdges edges;
    edges.chart_name = release.chart;
    edges.version = release.version;
    bool by_reference = is_set(release.chart_ref.name);
    edges.source = find_source(index, by_reference ? release.chart_ref : release.source, release.object);
    if (edges.source == no_entity) return edges;
    if (by_reference && index.sources[edges.source].kind == "HelmChart") {
        const Source& chart = index.sources[edges.source];
        edges.chart_name = chart.chart;
        edges.version = chart.version;
        edges.source = find_source(index, chart.source, chart.object);
        if (edges.source == no_entity) return edges;
    }
    const Source& source = index.sources[edges.source];
    edges.source_url = source.url;
    if (source.kind == "OCIRepository")
        take_oci(edges, source);
    else if (source.kind == "HelmRepository" && is_known(source.url))
        edges.registry = registry_key(source.url.text);
    return edges;
}

std::string_view path_of_release(const Index& index, const HelmRelease& release) {
    return index.tree->files[index.objects[release.object].file].path;
}

// A chart that a Git source names is a folder; when that folder is a chart of this tree, the source is this repository.
void link_git_chart(const Index& index, const HelmRelease& release, ReleaseEdges& edges) {
    const std::string& kind = edges.source == no_entity ? release.source.kind.text : index.sources[edges.source].kind;
    if (kind != "GitRepository" && kind != "Bucket") return;
    if (edges.source != no_entity && index.source_ours[edges.source] == Ours::no) return;
    if (!is_known(edges.chart_name)) return;
    auto found = index.chart_by_dir.find(clamp_path(edges.chart_name.text));
    if (found == index.chart_by_dir.end()) return;
    edges.own = true;
    edges.chart = found->second;
}

} // namespace

void link_own_registries(Index& index, const IndexOptions& options) {
    for (const HelmRelease& release : index.releases)
        index.release_edges.push_back(pulled_from(index, release));
    std::set<std::string> own;
    for (const std::string& url : options.own_registries)
        own.insert(registry_key(url));
    for (const std::vector<std::string>* pushed :
         {&options.pushed_registries, &std::as_const(index.published.registries)})
        for (const std::string& url : *pushed)
            own.insert(registry_key(url));
    if (options.catalyst.value_or(!index.blueprints.empty())) own.insert(kit_registry(index));
    own.erase("");
    index.own_registry_keys.assign(own.begin(), own.end());
    for (EntityId id = 0; id < index.releases.size(); ++id) {
        ReleaseEdges& edges = index.release_edges[id];
        link_git_chart(index, index.releases[id], edges);
        if (edges.own || edges.registry.empty() || !is_own_registry(index, edges.registry)) continue;
        edges.own = true;
        if (is_known(edges.chart_name))
            edges.chart = local_chart(index, edges.chart_name.text, path_of_release(index, index.releases[id]));
    }
}

} // namespace lockstep

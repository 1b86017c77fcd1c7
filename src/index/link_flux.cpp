// Flux objects to what they name: sources, charts, and each other. Folders are for src/deploy to find.
#include "index/links.h"
#include <set>

namespace lockstep {

namespace {

std::vector<EntityId> find_named(const Index& index, const NameMap& names, const std::vector<Reference>& references,
                                 EntityId referrer, const std::vector<EntityId>& object_of) {
    std::vector<EntityId> found;
    for (const Reference& reference : references) {
        auto entry = is_known(reference.name) ? names.find(reference.name.text) : names.end();
        EntityId target = no_entity;
        if (entry != names.end())
            target = nearest_entity(index, entry->second, namespace_for(index, reference, referrer),
                                    index.objects[referrer].file, [&](EntityId id) { return object_of[id]; });
        found.push_back(target);
    }
    return found;
}

bool is_bootstrap_source(const Index& index, const Source& source) {
    if (source.kind != "GitRepository" && source.kind != "OCIRepository" && source.kind != "Bucket") return false;
    return source.name.text == "flux-system" || index.objects[source.object].bootstrap;
}

// A path that tells something: the root exists everywhere.
bool tells(const Cell& path) {
    return is_known(path) && !clamp_path(path.text).empty();
}

} // namespace

std::string clamp_path(std::string_view path) {
    std::string made;
    while (!path.empty()) {
        std::size_t slash = path.find('/');
        std::string_view name = path.substr(0, slash);
        path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
        if (name.empty() || name == ".") continue;
        if (name == "..") {
            std::size_t cut = made.rfind('/');
            made.resize(cut == std::string::npos ? 0 : cut);
            continue;
        }
        if (!made.empty()) made += '/';
        made += name;
    }
    return made;
}

void link_sources(Index& index, const IndexOptions& options) {
    std::set<std::string> ours;
    for (const std::string& url : options.repository_urls)
        ours.insert(registry_key(url));
    for (const Source& source : index.sources)
        if (is_bootstrap_source(index, source) && is_known(source.url)) ours.insert(registry_key(source.url.text));
    // Otherwise the folders that its users name decide: most of them are here, or most are not.
    std::vector<int> votes(index.sources.size(), 0);
    for (const FluxKustomization& flux : index.flux_kustomizations) {
        EntityId source = find_source(index, flux.source, flux.object);
        if (source != no_entity && tells(flux.path))
            votes[source] += index.tree->has_directory(clamp_path(flux.path.text)) ? 1 : -1;
    }
    for (const HelmRelease& release : index.releases) {
        EntityId source = find_source(index, release.source, release.object);
        if (source != no_entity && index.sources[source].kind != "HelmRepository" && tells(release.chart))
            votes[source] += index.chart_by_dir.count(clamp_path(release.chart.text)) != 0 ? 1 : -1;
    }
    for (EntityId id = 0; id < index.sources.size(); ++id) {
        const Source& source = index.sources[id];
        Ours answer = Ours::unknown;
        if (source.kind == "HelmRepository" || source.kind == "HelmChart" || votes[id] < 0) answer = Ours::no;
        // Folders of the same name are common: they decide only while nothing says what our own url is.
        const bool other_url = is_known(source.url) && !ours.empty();
        const bool git = source.kind == "GitRepository" || source.kind == "Bucket";
        if (votes[id] > 0 && git && !other_url) answer = Ours::yes;
        if (git && other_url) answer = Ours::no;
        if (source.generated || is_bootstrap_source(index, source)) answer = Ours::yes;
        if (other_url && ours.count(registry_key(source.url.text))) answer = Ours::yes;
        index.source_ours.push_back(answer);
    }
}

void link_flux_paths(Index& index) {
    std::vector<EntityId> object_of;
    for (const FluxKustomization& flux : index.flux_kustomizations)
        object_of.push_back(flux.object);
    for (EntityId id = 0; id < index.flux_kustomizations.size(); ++id) {
        const FluxKustomization& flux = index.flux_kustomizations[id];
        FluxEdges edges;
        edges.source = find_source(index, flux.source, flux.object);
        bool implicit = flux.source.name.text == "flux-system"; // made by `flux bootstrap`, not always in Git
        if (edges.source != no_entity)
            edges.this_repository = index.source_ours[edges.source];
        else if (implicit)
            edges.this_repository = Ours::yes;
        edges.depends_on = find_named(index, index.flux_by_name, flux.depends_on, flux.object, object_of);
        index.flux_edges.push_back(std::move(edges));
    }
}

void link_releases(Index& index) {
    std::vector<EntityId> object_of;
    for (const HelmRelease& release : index.releases)
        object_of.push_back(release.object);
    for (EntityId id = 0; id < index.releases.size(); ++id) {
        const HelmRelease& release = index.releases[id];
        index.release_edges[id].depends_on =
            find_named(index, index.releases_by_name, release.depends_on, release.object, object_of);
    }
}

} // namespace lockstep

// Flux objects to what they name: sources, charts, and each other. Folders are for src/deploy to find.
#include "index/links.h"
#include "index/own_sources.h"

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
    const OwnSources own(index, options.repository_urls);
    for (EntityId id = 0; id < index.sources.size(); ++id)
        index.source_ours.push_back(own.of(fields_of(index.sources[id]), id));
}

void link_flux(Index& index) {
    std::vector<EntityId> object_of;
    for (const FluxKustomization& flux : index.flux_kustomizations)
        object_of.push_back(flux.object);
    for (EntityId id = 0; id < index.flux_kustomizations.size(); ++id) {
        const FluxKustomization& flux = index.flux_kustomizations[id];
        FluxEdges edges;
        edges.source = find_source(index, flux.source, flux.object);
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

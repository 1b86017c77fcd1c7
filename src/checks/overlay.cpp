// Walks every way up from an object's file and applies to a field what stands along it.
#include "checks/overlay.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

bool applies(Listing as) {
    return as == Listing::resource || as == Listing::base || as == Listing::component;
}

struct RouteWalk {
    const Index& index;
    std::vector<Route>& routes;
    std::size_t steps = 0;

    void end(Route route, EntityId flux) const {
        if (routes.size() >= most_routes) return;
        route.flux = flux;
        if (flux != no_entity) route.sure = index.flux_edges[flux].this_repository == Ours::yes;
        routes.push_back(std::move(route));
    }

    void climb(std::span<const std::uint32_t> edges, const Route& below) {
        for (std::uint32_t number : edges) {
            const ListedEdge& edge = index.listed_edges[number];
            const Kustomization& made = index.kustomizations[edge.kustomization];
            const Listed& entry = made.listed[edge.entry];
            const auto& passed = below.kustomizations;
            if (routes.size() >= most_routes || passed.size() >= longest_route || ++steps > most_steps) return;
            if (!applies(entry.as) || std::find(passed.begin(), passed.end(), edge.kustomization) != passed.end())
                continue;
            Route route = below;
            if (route.kustomizations.empty()) route.entry = entry.path.place;
            route.kustomizations.push_back(edge.kustomization);
            const std::vector<EntityId> fluxes = flux_on_kustomization(index, edge.kustomization);
            for (EntityId flux : fluxes)
                end(route, flux);
            const auto above = index.dir_listers.find(edge.kustomization);
            const std::size_t before = routes.size();
            if (above != index.dir_listers.end()) climb(above->second, route);
            const bool cut = steps > most_steps || route.kustomizations.size() >= longest_route;
            if (fluxes.empty() && routes.size() == before && !made.component && !cut) end(route, no_entity);
        }
    }
};

void add_names(PatchTarget& target, const Cell& prefix, const Cell& suffix) {
    if (!is_set(prefix) && !is_set(suffix)) return;
    std::string name = prefix.text + target.names.back() + suffix.text;
    target.names.push_back(std::move(name));
}

void add_namespace(PatchTarget& target, const Cell& ns) {
    if (is_known(ns)) target.namespaces.push_back(ns.text);
}

// Common annotations and labels reach every object below them.
void apply_pairs(const std::vector<Pair>& pairs, std::string_view block, const FieldPath& path, Field& field) {
    if (path.size() != 3 || path[0] != "metadata" || path[1] != block) return;
    for (const Pair& pair : pairs)
        if (pair.key.text == path[2] && is_set(pair.value)) field.cell = pair.value;
}

} // namespace

std::vector<Route> Overlay::routes(const Object& object) const {
    std::vector<Route> found;
    if (object.embedded) return found;
    const Index& index = repository_.index;
    RouteWalk walk{index, found};
    walk.climb(index.listers.of(object.file), {});
    if (!object.in_templates)
        for (EntityId flux : flux_on_file(index, object.file)) {
            Route route;
            route.entry = index.flux_kustomizations[flux].path.place;
            walk.end(std::move(route), flux);
        }
    // Where Flux applies it, a kustomization for local builds or tests does not count.
    auto by_flux = [](const Route& route) { return route.flux != no_entity; };
    if (std::any_of(found.begin(), found.end(), by_flux))
        std::erase_if(found, [&](const Route& route) { return !by_flux(route); });
    return found;
}

Field Overlay::own(const Object& object, const FieldPath& path) {
    Field field;
    NodeRef node = nodes_.root(object);
    Place deepest{object.file, object.document};
    const auto entries = node.entries();
    if (!entries.empty()) deepest.span = entries.front().key.span();
    const bool masked = node && node.yaml().masked;
    for (std::size_t i = 0; i < path.size(); ++i) {
        // An action between the keys may add, drop or choose them.
        if (masked && i + 1 == path.size() && node.source().find("{{") != std::string_view::npos)
            field.unsure = "template actions stand around it";
        const NodeRef key = node.get_key(path[i]);
        if (!key) {
            field.cell = {State::absent, {}, deepest};
            return field;
        }
        deepest.span = key.span();
        node = node.get(path[i]).resolved();
        if (node.templated()) break;
    }
    field.cell = {State::known, node.is_mapping() ? "{…}" : "[…]", deepest};
    if (node.is_scalar()) field.cell = nodes_.cell(object.file, node);
    if (field.cell.state == State::absent) field.cell.place = deepest;
    return field;
}

Field Overlay::look(const Object& object, const Route& route, const FieldPath& path) {
    Field field = own(object, path);
    looked_through_ = 0;
    PatchTarget target{object, nodes_.root(object), {object.name.text}, {}, {}};
    add_namespace(target, object.ns);
    for (EntityId id : route.kustomizations)
        apply_kustomization(id, route, target, path, field);
    if (route.flux == no_entity) return field;
    const FluxKustomization& flux = repository_.index.flux_kustomizations[route.flux];
    for (EntityId component : repository_.index.flux_edges[route.flux].components)
        apply_kustomization(component, route, target, path, field);
    apply_patches(flux_patches(route.flux), target, path, field);
    apply_pairs(flux.common_annotations, "annotations", path, field);
    apply_pairs(flux.common_labels, "labels", path, field);
    return field;
}

void Overlay::apply_kustomization(EntityId id, const Route& route, PatchTarget& target, const FieldPath& path,
                                  Field& field) {
    const Kustomization& made = repository_.index.kustomizations[id];
    const auto& passed = route.kustomizations;
    if (++looked_through_ > most_steps) { // components that use one another twice: the ways double with each
        field.unsure = "too many components stand on the way";
        return;
    }
    for (EntityId component : components_of(id)) {
        if (std::find(passed.begin(), passed.end(), component) != passed.end()) continue;
        Route through = route;
        through.kustomizations.push_back(component);
        apply_kustomization(component, through, target, path, field);
    }
    for (const Listed& entry : made.listed)
        if (entry.as == Listing::transformer) field.unsure = "a transformer of its own stands on the way";
    add_namespace(target, made.ns);
    apply_patches(patches_of(id), target, path, field);
    add_names(target, made.name_prefix, made.name_suffix);
    for (const auto* pairs : {&made.common_labels, &made.labels}) {
        apply_pairs(*pairs, "labels", path, field);
        target.added_labels.insert(target.added_labels.end(), pairs->begin(), pairs->end());
    }
    apply_pairs(made.common_annotations, "annotations", path, field);
}

void Overlay::apply_patches(const PatchSet& set, const PatchTarget& target, const FieldPath& path, Field& field) {
    if (!set.unreadable.empty()) field.unsure = set.unreadable;
    for (const auto& [change, match] : set.reaching(target)) {
        Field changed = field;
        if (change->operations)
            run_operations(*change, path, changed);
        else
            merge_change(*change, path, changed);
        const bool differs = changed.cell.place != field.cell.place || changed.cell.text != field.cell.text ||
                             changed.cell.state != field.cell.state || changed.gone != field.gone;
        if (match == Match::yes)
            field = std::move(changed);
        else if (differs)
            field.unsure = "a patch may reach it: its target cannot be told";
    }
}

const PatchSet& Overlay::patches_of(EntityId kustomization) {
    if (repository_.index.kustomizations[kustomization].patches.empty()) return no_patches_;
    auto found = kustomization_patches_.find(kustomization);
    if (found == kustomization_patches_.end()) {
        const Kustomization& made = repository_.index.kustomizations[kustomization];
        found =
            kustomization_patches_.emplace(kustomization, read_patch_set(repository_, nodes_, made.dir, made.patches))
                .first;
    }
    return found->second;
}

const PatchSet& Overlay::flux_patches(EntityId flux) {
    if (repository_.index.flux_kustomizations[flux].patches.empty()) return no_patches_;
    auto found = flux_patches_.find(flux);
    if (found == flux_patches_.end())
        found = flux_patches_
                    .emplace(flux, read_patch_set(repository_, nodes_, "",
                                                  repository_.index.flux_kustomizations[flux].patches))
                    .first;
    return found->second;
}

std::vector<EntityId> Overlay::components_of(EntityId kustomization) {
    if (!components_) {
        components_.emplace();
        for (const ListedEdge& edge : repository_.index.listed_edges)
            if (edge.leads_to != no_entity && repository_.index.kustomizations[edge.leads_to].component)
                (*components_)[edge.kustomization].push_back(edge.leads_to);
    }
    const auto found = components_->find(kustomization);
    return found == components_->end() ? std::vector<EntityId>() : found->second;
}

} // namespace lockstep

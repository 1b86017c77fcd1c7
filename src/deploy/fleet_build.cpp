// Builds the folder of a root as Flux does, and turns what comes out into instances.
#include "deploy/fleet_walk.h"
#include "deploy/force_mark.h"
#include "index/cells.h"
#include <algorithm>

namespace lockstep {
namespace {

constexpr std::string_view flux_group = "kustomize.toolkit.fluxcd.io";

bool holds(const Place& outer, const Place& inner) {
    return outer.file == inner.file && outer.span.begin <= inner.span.begin && inner.span.end <= outer.span.end;
}

// By Flux's own rules: an artifact that a script pushes is packed by others.
bool is_packed_by_flux(const Root& root) {
    return root.by == Root::By::flux && root.spec.source.kind.text == "GitRepository";
}

} // namespace

// Flux refuses what kustomize does for charts: such a folder gives less to it than to others.
FleetWalk::PlainBuild& FleetWalk::plain_of(const std::string& dir, bool flux) {
    return plain_[dir + (flux ? "\nf" : "")];
}

const Build& FleetWalk::plain_build(const std::string& dir, bool flux) {
    PlainBuild& plain = plain_of(dir, flux);
    std::optional<Build>& known = plain.build;
    if (!known && plain.planned != no_number) build_ahead(plain.planned);
    if (known) return *known;
    const std::optional<ExtraLayer> layer = layer_of(index_, ignore_, dir, FluxSpec(), *made_.specs_);
    BuildOptions options;
    options.keep_going = options.keep_order = options.load_anywhere = true; // as Flux builds
    options.by_flux = flux;
    options.layer = layer ? &*layer : nullptr;
    return known.emplace(made_.builder_->build(dir, options));
}

const SourceIgnore& FleetWalk::ignore_for(EntityId source) {
    if (source == no_entity || index_.sources[source].generated) return ignore_;
    if (const auto known = ignores_.find(source); known != ignores_.end()) return known->second;
    const Object& object = index_.objects[index_.sources[source].object];
    const std::string_view text = index_.tree->files[object.file].text;
    if (text.substr(object.document.begin, object.document.end - object.document.begin).find("ignore") ==
        std::string_view::npos)
        return ignore_;
    const Cell own = cell_at(made_.declared_tree(index_.sources[source].object), {"spec", "ignore"});
    return is_known(own) ? ignores_.emplace(source, SourceIgnore(*index_.tree, own.text, own.place)).first->second
                         : ignore_;
}

// What the source keeps back of that which some kustomization lists; nullptr for nothing.
const KeptBack* FleetWalk::kept_back_for(const Root& root, const SourceIgnore& ignore) {
    if (!is_packed_by_flux(root)) return nullptr;
    const auto [known, fresh] = kept_back_.try_emplace(&ignore);
    if (fresh && std::any_of(index_.listed_edges.begin(), index_.listed_edges.end(), [&](const ListedEdge& edge) {
            return edge.file != no_file && ignore.covers(index_.tree->files[edge.file].path);
        }))
        known->second = KeptBack{[&ignore](std::string_view path) { return ignore.covered_by(path); },
                                 std::to_string(kept_back_.size())};
    return known->second ? &*known->second : nullptr;
}

// All of the folder that it names.
bool FleetWalk::is_kept_back(Root& root, const SourceIgnore& ignore, const std::optional<ExtraLayer>& layer) const {
    const auto own = index_.kustomization_by_dir.find(root.dir);
    if (!is_packed_by_flux(root) || own == index_.kustomization_by_dir.end() || !layer || !layer->generate ||
        !layer->resources.empty())
        return false;
    const std::string& file = index_.tree->files[index_.kustomizations[own->second].file].path;
    BuildError error{"kustomization path not found: lstat " + root.dir + ": no such file or directory", root.place,
                     BuildError::Kind::kept_back};
    error.kept_back_by = ignore.covered_by(file).value_or(Place{});
    root.errors.push_back(std::move(error));
    root.gaps.push_back({Gap::Why::missing, root.place, "Flux leaves the folder out of what it fetches"});
    return true;
}

void FleetWalk::build(std::uint32_t number) {
    Root& root = made_.roots[number];
    const SourceIgnore& ignore = ignore_for(root.source);
    const KeptBack* kept_back = kept_back_for(root, ignore);
    const std::optional<ExtraLayer> layer = layer_of(index_, ignore, root.dir, root.spec, *made_.specs_);
    if (is_kept_back(root, ignore, layer)) return;
    const bool plain =
        !layer || (layer->generate && layer->ns.empty() && layer->name_prefix.empty() && layer->name_suffix.empty() &&
                   layer->patches.empty() && layer->images.empty() && layer->components.empty());
    if (plain && !kept_back && (&ignore == &ignore_ || !layer)) {
        const std::string dir = root.dir;
        const bool flux = root.by == Root::By::flux;
        take(number, plain_build(dir, flux));
        if (PlainBuild& shared = plain_of(dir, flux); shared.uses && --shared.uses == 0) shared.build.reset();
        return;
    }
    BuildOptions options;
    options.keep_going = options.keep_order = options.load_anywhere = true; // as Flux builds
    options.by_flux = root.by == Root::By::flux;
    options.layer = layer ? &*layer : nullptr;
    options.kept_back = kept_back;
    take(number, made_.builder_->build(root.dir, options));
}

void FleetWalk::take_gaps(Root& root, const Build& built) const {
    for (const BuildGap& gap : built.gaps) {
        Gap::Why why = Gap::Why::remote;
        if (gap.kind == BuildGap::Kind::plugin) why = Gap::Why::plugin;
        if (gap.kind == BuildGap::Kind::helm) why = Gap::Why::chart;
        if (gap.kind == BuildGap::Kind::template_) why = Gap::Why::unread;
        root.gaps.push_back({why, gap.place, gap.reason});
    }
    // A patch or a transformer that is not here may change anything.
    std::vector<std::pair<Place, std::string>> lost;
    for (const BuildGap& gap : built.gaps)
        lost.emplace_back(gap.place, gap.reason);
    for (const BuildError& error : built.errors)
        lost.emplace_back(error.place, error.message);
    for (const std::string& folder : lost.empty() ? std::vector<std::string>() : built.folders) {
        const auto made = index_.kustomization_by_dir.find(folder);
        if (made == index_.kustomization_by_dir.end()) continue;
        for (const Listed& entry : index_.kustomizations[made->second].listed)
            for (const auto& [place, why] : lost)
                if ((entry.as == Listing::patch || entry.as == Listing::transformer) && holds(place, entry.path.place))
                    root.unread_change = why;
    }
    for (const Cell& component : root.spec.components)
        if (component.state == State::templated)
            root.gaps.push_back({Gap::Why::templated, component.place, "the component's path is not known"});
}

void FleetWalk::take(std::uint32_t number, const Build& built) {
    Root& root = made_.roots[number];
    if (root.by == Root::By::alone || root.by == Root::By::config) { // whoever applies it may substitute
        root.variables = std::make_shared<PostBuild>();
        root.variables->open = true;
    }
    for (const BuildError& error : built.errors)
        if (error.kind == BuildError::Kind::limit) {
            made_.beyond_limit = true;
            made_.limit_met_at = is_there(error.place) ? error.place : root.place;
            if (!error.message.ends_with("resources in one build")) made_.limit_met_ = error.message;
            return;
        }
    take_gaps(root, built);
    root.errors = built.errors;
    if (built.dropped) root.dropped = std::make_shared<const BuildError>(*built.dropped);
    for (const Cell& component : root.spec.components)
        if (is_known(component) && !is_local_component(component.text))
            root.errors.push_back(
                {"component path '" + component.text + "' must be local and relative", component.place});
    for (BuildError& error : root.errors) // Flux generates kustomizations that no file holds
        for (Place* place : {&error.place, &error.first_entry})
            if (!is_there(*place)) *place = root.place;
    root.removed = built.removed;
    root.folders = built.folders;
    for (const std::string& folder : built.folders)
        if (const auto found = index_.kustomization_by_dir.find(folder); found != index_.kustomization_by_dir.end())
            visited_[found->second] = true;
    const bool changes = root.variables || root.spec.common_labels || root.spec.common_annotations;
    for (const Resource& resource : built.resources) {
        if (made_.instances.size() + made_.roots.size() >= input_.most) {
            made_.beyond_limit = true;
            made_.limit_met_at = root.place;
            return;
        }
        Instance one;
        one.resource = resource;
        one.built = resource.step;
        one.root = number;
        if (resource.rendered) {
            one.object = template_at(resource.document);
            Arena arena;
            const Value* tree = made_.builder_->tree(resource, arena);
            one.name_known = cell_at(tree, {"metadata", "name"}).state != State::templated;
            one.ns_known = cell_at(tree, {"metadata", "namespace"}).state != State::templated;
        } else if (!resource.generated) {
            one.object = object_at(resource.document);
        }
        if (changes)
            one.resource = made_.builder_->with_change(resource, [fleet = &made_, number](Value& tree, Arena& arena) {
                const Root& here = fleet->roots[number];
                if (here.variables) substitute_tree(tree, arena, *here.variables);
                add_metadata(tree, arena, "labels", here.spec.common_labels);
                add_metadata(tree, arena, "annotations", here.spec.common_annotations);
            });
        auto fill = [&](std::string_view& text, bool& known) {
            if (text.find("${") == std::string_view::npos) return;
            known = false;
            if (!root.variables) return;
            const Substituted made = substitute(
                text, [&](std::string_view name) { return root.variables->look(name); }, false);
            if (!made.error.empty() || !made.unknown.empty()) return;
            known = true;
            text = made_.builder_->keep(made.text);
        };
        fill(one.resource.id.name, one.name_known);
        fill(one.resource.id.ns, one.ns_known);
        add_instance(std::move(one));
    }
}

EntityId FleetWalk::object_at(Place document) const {
    const auto& objects = index_.objects;
    if (document.file >= index_.tree->files.size()) return no_entity;
    auto found = std::lower_bound(
        objects.begin() + first_object_[document.file], objects.begin() + first_object_[document.file + 1], document,
        [](const Object& one, const Place& place) { return one.document.begin < place.span.begin; });
    // Both cut a file at its `---`, either of them before it: what the document holds is inside for both.
    while (found != objects.begin() && std::prev(found)->file == document.file &&
           std::prev(found)->document.end > document.span.begin)
        --found;
    const std::size_t end = std::max(document.span.end, document.span.begin + 1);
    for (; found != objects.end() && found->file == document.file && found->document.begin < end; ++found) {
        const Place kind = found->kind.place;
        const bool before = is_there(kind) && kind.file == document.file && kind.span.begin < document.span.begin;
        if (!found->embedded && !before) return static_cast<EntityId>(found - objects.begin());
    }
    return no_entity;
}

void FleetWalk::add_instance(Instance one) {
    const Scope scope = scopes_.of(one.id().group, one.id().kind);
    one.cluster_scoped = scope.cluster;
    one.scope_known = scope.known;
    Root& root = made_.roots[one.root];
    if (one.object != no_entity) instanced_[one.object] = true;
    const auto at = static_cast<std::uint32_t>(made_.instances.size());
    const bool supplies = one.id().group.empty() && (one.id().kind == "ConfigMap" || one.id().kind == "Secret");
    if (supplies || one.id().group == flux_source_group) by_name_[name_key(one.id().kind, one.id().name)].push_back(at);
    const bool leads_on = root.certainty != Certainty::loose && root.by != Root::By::chart;
    if (leads_on && one.id().group == flux_group && one.id().kind == "Kustomization")
        waiting_.push_back({one.object == no_entity ? no_entity : flux_of_object_[one.object], at, false});
    if (input_.charts && leads_on && one.id().kind == "HelmRelease" && one.id().group == "helm.toolkit.fluxcd.io")
        releases_.push_back(at);
    made_.instances.push_back(std::move(one));
    ++root.count;
}

std::vector<std::uint32_t> FleetWalk::suppliers_of(const Root& root) const {
    std::vector<std::uint32_t> found;
    if (!root.spec.substitute_from) return found;
    for (const Value* item : root.spec.substitute_from->items()) {
        const Cell kind = cell_at(item, {"kind"}), name = cell_at(item, {"name"});
        found.push_back(no_number);
        const auto named = by_name_.find(name_key(kind.text, name.text));
        if (!is_known(name) || named == by_name_.end()) continue;
        for (std::uint32_t number : named->second) {
            const Instance& one = made_.instances[number];
            const bool here = made_.root_of(one).cluster == root.cluster && one.id().group.empty() &&
                              (one.id().ns == root.ns || one.id().ns.empty() || root.ns.empty());
            if (here && one.name_known && made_.certainty_of(one) == Certainty::proven) found.back() = number;
        }
    }
    return found;
}

void FleetWalk::fill_variables(const Root& root) const {
    if (!root.variables) return;
    std::vector<std::uint32_t> suppliers = suppliers_of(root);
    if (root.variables->made && root.variables->suppliers == suppliers) return; // trees do not change
    PostBuild made;
    made.made = true;
    made.open = root.by != Root::By::flux;
    for (std::size_t i = 0; i < suppliers.size(); ++i) {
        const Value* item = root.spec.substitute_from->items()[i];
        const Cell kind = cell_at(item, {"kind"}), name = cell_at(item, {"name"});
        const Value* tree = suppliers[i] == no_number ? nullptr : made_.tree_of(made_.instances[suppliers[i]]);
        if (tree) supply_from(tree, kind.text == "Secret", made);
        if (made.open || (tree && !is_shared(tree))) continue;
        made.open = true;
        made.why =
            kind.text + " " + name.text +
            (tree ? " keeps in the cluster what others write into it" : " is not in what this cluster gets from here");
    }
    supply_inline(root.spec.substitute, made);
    made.suppliers = std::move(suppliers);
    *root.variables = std::move(made);
}

} // namespace lockstep

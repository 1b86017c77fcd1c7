// From the topmost roots down: each is built once per cluster, and the Flux Kustomizations among what it applies are
// the next roots. Wide first, so that variables are there when a path asks for them.
#include "deploy/fleet_walk.h"
#include "base/glob.h"
#include "index/cells.h"
#include "index/links.h"
#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace lockstep {
namespace {

constexpr std::string_view flux_group = "kustomize.toolkit.fluxcd.io", source_group = "source.toolkit.fluxcd.io";

// `clusters/${fqdn}/kit` as a pattern: one segment, or a part of one, per action.
std::string pattern_of(std::string_view path) {
    std::string pattern;
    while (!path.empty()) {
        const std::string_view close = path.starts_with("${") ? "}" : path.starts_with("{{") ? "}}" : "";
        const std::size_t end = close.empty() ? std::string_view::npos : path.find(close);
        pattern += end == std::string_view::npos ? path.front() : '*';
        path.remove_prefix(end == std::string_view::npos ? 1 : end + close.size());
    }
    return pattern;
}

// The folders of this repository that a folder of a generated artifact was copied from.
std::vector<std::string> copied_from(const Source& artifact, std::string_view path) {
    std::vector<std::string> dirs;
    for (const ArtifactCopy& copy : artifact.copies) {
        const std::size_t slash = copy.from.text.find('/');
        if (!is_known(copy.from) || !is_known(copy.to) || !copy.from.text.starts_with('@') ||
            slash == std::string::npos)
            continue;
        std::string_view from = std::string_view(copy.from.text).substr(slash + 1);
        while (from.ends_with('*') || from.ends_with('/'))
            from.remove_suffix(1);
        std::string_view to = copy.to.text;
        if (to.starts_with("@artifact")) to.remove_prefix(9);
        const std::string below = clamp_path(to);
        if (!below.empty() && path != below && !path.starts_with(below + "/")) continue;
        dirs.push_back(clamp_path(std::string(from) + "/" + std::string(path.substr(below.size()))));
    }
    return dirs;
}

std::vector<MadeSync> made_by_operators(const std::vector<OperatorSync>& syncs) {
    std::vector<MadeSync> made;
    for (const OperatorSync& sync : syncs) {
        std::string_view branch = sync.ref.text;
        if (branch.starts_with("refs/heads/")) branch.remove_prefix(11);
        made.push_back({sync.name, sync.url, std::string(branch)});
    }
    return made;
}

bool holds(const Place& outer, const Place& inner) {
    return outer.file == inner.file && outer.span.begin <= inner.span.begin && inner.span.end <= outer.span.end;
}

} // namespace

FleetWalk::FleetWalk(const Fleet::Input& input, Fleet& made)
    : input_(input), index_(input.index), made_(made),
      syncs_(operator_syncs(input.index, [&](EntityId object) { return made.declared_tree(object); })),
      own_(input.index, input.repository_urls, made_by_operators(syncs_)), ignore_(input.tree), scopes_(input.index),
      flux_of_object_(input.index.objects.size(), no_entity), instanced_(input.index.objects.size(), false),
      visited_(input.index.kustomizations.size(), false) {
    for (EntityId id = 0; id < index_.flux_kustomizations.size(); ++id)
        flux_of_object_[index_.flux_kustomizations[id].object] = id;
    made.source_ours.clear();
    for (EntityId id = 0; id < index_.sources.size(); ++id) {
        if (!index_.sources[id].generated) source_of_object_.emplace(index_.sources[id].object, id);
        made.source_ours.push_back(own_.of(fields_of(index_.sources[id]), id));
    }
}

void FleetWalk::run() {
    add_syncs();
    add_configured();
    drain();
    add_tops();
    join_clusters();
    made_.has_roots = !made_.roots.empty();
    add_alone();
    for (Root& root : made_.roots)
        if (root.variables) *root.variables = *variables_for(root);
}

// A sync runs in the cluster that gets the object which makes it: what else begins there is the same cluster.
void FleetWalk::join_clusters() {
    std::vector<std::uint32_t> same(made_.clusters.size());
    std::iota(same.begin(), same.end(), 0U);
    const auto end_of = [&](std::uint32_t cluster) {
        while (same[cluster] != cluster)
            cluster = same[cluster];
        return cluster;
    };
    bool any = false;
    for (const OperatorSync& sync : syncs_) {
        const auto own = cluster_by_name_.find(cluster_folder(index_.objects[sync.object]));
        if (own == cluster_by_name_.end()) continue;
        for (const Instance& one : made_.instances) {
            const Root& root = made_.root_of(one);
            if (one.object != sync.object || root.cluster == no_number || !root.spec.cluster.empty()) continue;
            const std::uint32_t from = end_of(own->second), to = end_of(root.cluster);
            any = any || from != to;
            same[from] = to;
        }
    }
    if (!any) return;
    for (Root& root : made_.roots)
        if (root.cluster != no_number) root.cluster = end_of(root.cluster);
    for (std::uint32_t i = 0; i < same.size(); ++i)
        if (const std::uint32_t to = end_of(i); to != i)
            for (const std::uint32_t top : std::exchange(made_.clusters[i].tops, {}))
                made_.clusters[to].tops.push_back(top);
    for (auto& [name, cluster] : cluster_by_name_)
        cluster = end_of(cluster);
}

void FleetWalk::drain() {
    while (!waiting_.empty() && !made_.beyond_limit) {
        const Waiting next = waiting_.front();
        waiting_.pop_front();
        go_on(next);
    }
}

EntityId FleetWalk::object_at(Place document) const {
    const auto& objects = index_.objects;
    auto found = std::lower_bound(objects.begin(), objects.end(), document, [](const Object& one, const Place& place) {
        return one.file != place.file ? one.file < place.file : one.document.begin < place.span.begin;
    });
    // Both cut a file at its `---`, one of them before it.
    const std::size_t end = std::max(document.span.end, document.span.begin + 1);
    for (; found != objects.end() && found->file == document.file && found->document.begin < end; ++found)
        if (!found->embedded) return static_cast<EntityId>(found - objects.begin());
    return no_entity;
}

// Flux refuses what kustomize does for charts: such a folder gives less to it than to others.
FleetWalk::PlainBuild& FleetWalk::plain_of(const std::string& dir, bool flux) {
    return plain_[dir + (flux ? "\nf" : "")];
}

const Build& FleetWalk::plain_build(const std::string& dir, bool flux) {
    std::optional<Build>& known = plain_of(dir, flux).build;
    if (known) return *known;
    const std::optional<ExtraLayer> layer = layer_of(index_, ignore_, dir, FluxSpec());
    BuildOptions options;
    options.keep_going = options.keep_order = options.load_anywhere = true; // as Flux builds
    options.refuse_charts = flux;
    options.layer = layer ? &*layer : nullptr;
    return known.emplace(made_.builder_->build(dir, options));
}

std::uint32_t FleetWalk::cluster_for(const std::string& name) {
    const auto [known, fresh] = cluster_by_name_.emplace(name, static_cast<std::uint32_t>(made_.clusters.size()));
    if (fresh) made_.clusters.push_back({name, {}});
    return known->second;
}

void FleetWalk::add_syncs() {
    for (const OperatorSync& sync : syncs_) {
        const Object& object = index_.objects[sync.object];
        if ((input_.is_side && input_.is_side(object.file)) || sync.path.state == State::templated) continue;
        Root root;
        root.cluster = cluster_for(cluster_folder(object));
        root.ns = sync.ns;
        root.name = sync.name;
        root.dir = clamp_path(sync.path.text);
        root.place = is_there(sync.path.place) ? sync.path.place : sync.url.place;
        add_root(std::move(root));
    }
}

// Whoever applies a topmost Flux Kustomization applies its file. Those that apply themselves come first: some of the
// others are applied by what variables and patches make of them.
void FleetWalk::add_tops() {
    std::vector<EntityId> tops = topmost_flux();
    std::stable_partition(tops.begin(), tops.end(), [&](EntityId flux) {
        const Object& object = index_.objects[index_.flux_kustomizations[flux].object];
        return object.bootstrap || object.name.text == "flux-system";
    });
    std::set<FileId> done;
    for (EntityId flux : tops) {
        const EntityId id = index_.flux_kustomizations[flux].object;
        const Object& object = index_.objects[id];
        if (instanced_[id]) continue;
        const Ours ours = origin_of(index_.flux_kustomizations[flux].source, object.ns.text, id, no_number).ours;
        // What is of another repository, nothing says that a cluster has it.
        if (ours == Ours::no || !done.insert(object.file).second) continue;
        const bool proven = ours == Ours::yes || object.bootstrap;
        const std::size_t first = made_.roots.size();
        const auto over = object.embedded ? std::vector<EntityId>() : kustomizations_over(object.file);
        for (EntityId kustomization : over) {
            const Kustomization& made = index_.kustomizations[kustomization];
            Root root;
            root.by = Root::By::given;
            root.dir = made.dir;
            root.place = {made.file, {made.place.span.begin, made.place.span.begin}};
            root.cluster = cluster_for(over.size() > 1 ? made.dir : cluster_folder(object));
            root.certainty = proven ? Certainty::proven : Certainty::possible;
            add_root(std::move(root));
        }
        if (over.empty()) add_given(object.file, cluster_for(cluster_folder(object)), object.bootstrap);
        for (std::size_t i = first; !proven && i < made_.roots.size(); ++i) {
            made_.roots[i].certainty = Certainty::possible;
            made_.roots[i].why = "its source is not known to be this repository";
        }
        drain();
    }
}

// The topmost kustomizations that include a file and that no root includes: whoever applies the file applies these.
std::vector<EntityId> FleetWalk::kustomizations_over(FileId file) const {
    std::set<EntityId> seen, tops;
    std::vector<EntityId> open;
    auto climb = [&](std::span<const std::uint32_t> edges) {
        bool any = false;
        for (std::uint32_t number : edges) {
            const ListedEdge& edge = index_.listed_edges[number];
            const Listing as = index_.kustomizations[edge.kustomization].listed[edge.entry].as;
            if (as != Listing::resource && as != Listing::base && as != Listing::component) continue;
            any = true;
            if (seen.insert(edge.kustomization).second) open.push_back(edge.kustomization);
        }
        return any;
    };
    climb(index_.listers.of(file));
    while (!open.empty()) {
        const EntityId here = open.back();
        open.pop_back();
        const auto above = index_.dir_listers.find(here);
        const bool topmost = above == index_.dir_listers.end() || !climb(above->second);
        if (topmost && !index_.kustomizations[here].component) tops.insert(here);
    }
    return {tops.begin(), tops.end()};
}

void FleetWalk::add_given(FileId file, std::uint32_t cluster, bool bootstrap) {
    Root root;
    root.by = Root::By::given;
    root.cluster = cluster;
    root.dir = directory_of(index_.tree->files[file].path);
    root.place = {file, {0, 0}};
    root.first = static_cast<std::uint32_t>(made_.instances.size());
    const auto number = static_cast<std::uint32_t>(made_.roots.size());
    made_.clusters[cluster].tops.push_back(number);
    made_.roots.push_back(std::move(root));
    auto object = std::lower_bound(index_.objects.begin(), index_.objects.end(), file,
                                   [](const Object& one, FileId wanted) { return one.file < wanted; });
    for (; object != index_.objects.end() && object->file == file; ++object) {
        if (object->bootstrap != bootstrap || (object->embedded && !bootstrap) || object->partial ||
            !is_set(object->name) || !is_set(object->kind))
            continue;
        Instance one;
        one.object = static_cast<EntityId>(object - index_.objects.begin());
        one.as_declared = true;
        one.root = number;
        one.resource.id = {object->group, object->version(), object->kind.text, object->ns.text, object->name.text};
        one.resource.document = {file, object->document};
        one.name_known = is_known(object->name);
        one.ns_known = object->ns.state != State::templated;
        add_instance(std::move(one));
    }
}

void FleetWalk::add_configured() {
    for (const std::string& named : input_.applied) {
        const std::string dir = clamp_path(named);
        if (!index_.tree->has_directory(dir)) continue;
        Root root;
        root.by = Root::By::config;
        root.dir = dir;
        root.cluster = cluster_for(dir);
        add_root(std::move(root));
    }
}

// Kustomizations that nothing includes, then those that only each other include.
void FleetWalk::add_alone() {
    for (bool all : {false, true})
        for (EntityId id = 0; id < index_.kustomizations.size() && !made_.beyond_limit; ++id) {
            const Kustomization& made = index_.kustomizations[id];
            const auto at_dir = index_.kustomization_by_dir.find(made.dir);
            if (made.component || made.embedded || visited_[id] || at_dir == index_.kustomization_by_dir.end() ||
                at_dir->second != id || (!all && index_.dir_listers.count(id)))
                continue;
            Root root;
            root.by = Root::By::alone;
            root.dir = made.dir;
            root.place = {made.file, {made.place.span.begin, made.place.span.begin}};
            root.cluster = cluster_for(made.dir);
            const bool side = input_.is_side && input_.is_side(made.file);
            if (made_.has_roots || side) {
                root.certainty = Certainty::loose;
                root.why = side ? "a sample or a test by its path" : "nothing in this tree applies it";
            }
            add_root(std::move(root));
        }
}

void FleetWalk::go_on(const Waiting& waiting) {
    const Instance maker = made_.instances[waiting.maker];
    Root& above = made_.roots[maker.root];
    // Many roots that build one folder apply one Kustomization many times.
    if (!waiting.tried && maker.resource.step && !gone_on_.emplace(above.cluster, maker.resource.step).second) return;
    if (above.variables) *above.variables = *variables_for(above);
    Arena arena; // most specs hold nothing that must stay
    const Value* tree = made_.tree_of(maker, arena);
    if (!tree) return;
    const FluxSpec spec = read_flux_spec(tree);
    const bool unclear = spec.path.state == State::templated || spec.source.name.state == State::templated;
    if (unclear && !waiting.tried) { // what supplies the variable may not be built yet
        waiting_.push_back({waiting.flux, waiting.maker, true});
        return;
    }
    add_roots(spec.holds_trees() ? made_.tree_of(maker, *made_.specs_) : tree, waiting.flux, waiting.maker);
}

FleetWalk::Origin FleetWalk::origin_of(const Reference& source, const std::string& ns, EntityId referrer,
                                       std::uint32_t cluster) const {
    Origin origin;
    if (!is_known(source.name) || !is_known(source.kind)) return origin;
    const std::string wanted = is_known(source.ns) ? source.ns.text : ns;
    if (const auto named = by_name_.find(name_key(source.kind.text, source.name.text)); named != by_name_.end())
        for (std::uint32_t number : named->second) {
            const Instance& one = made_.instances[number];
            const bool here = made_.root_of(one).cluster == cluster && one.id().group == source_group &&
                              (wanted.empty() || one.id().ns.empty() || one.id().ns == wanted);
            if (!here || one.object == no_entity) continue;
            const auto declared = source_of_object_.find(one.object);
            if (declared == source_of_object_.end()) continue;
            origin.declared = declared->second;
            SourceFields fields = fields_of(index_.sources[origin.declared]);
            if (one.resource.patches || made_.root_of(one).variables) {
                Arena arena;
                const Value* tree = made_.tree_of(one, arena);
                fields.url = cell_at(tree, {"spec", source.kind.text == "Bucket" ? "endpoint" : "url"});
                fields.branch = cell_at(tree, {"spec", "ref", "branch"});
            }
            origin.ours = own_.of(fields, origin.declared);
            return origin;
        }
    if (origin.declared == no_entity) {
        Reference looked = source;
        if (!is_set(looked.ns) && !ns.empty()) looked.ns = {State::known, ns, source.place};
        origin.declared = find_source(index_, looked, referrer);
    }
    if (origin.declared != no_entity)
        origin.ours = own_.of(fields_of(index_.sources[origin.declared]), origin.declared);
    else if (own_.is_implicit(source.kind.text, source.name.text))
        origin.ours = Ours::yes;
    return origin;
}

std::vector<std::string> FleetWalk::folders_of(const FluxSpec& spec, const Origin& origin) const {
    const std::string path = clamp_path(spec.path.text);
    if (origin.declared != no_entity && index_.sources[origin.declared].generated && is_known(spec.path))
        return copied_from(index_.sources[origin.declared], path);
    if (spec.path.state != State::templated) return {path}; // an absent path is the root
    std::vector<std::string> found;
    if (const Result<Glob> glob = Glob::compile(pattern_of(path)))
        for (const Kustomization& made : index_.kustomizations)
            if (!made.embedded && glob->matches(made.dir)) found.push_back(made.dir);
    return found;
}

void FleetWalk::add_roots(const Value* tree, EntityId flux, std::uint32_t maker) {
    Root root;
    root.spec = read_flux_spec(tree);
    if (!root.spec.is_whole()) return;
    root.flux = flux;
    root.maker = maker;
    root.place = is_there(root.spec.path.place) ? root.spec.path.place : root.spec.source.place;
    const Instance& own = made_.instances[maker];
    const Root& above = made_.roots[own.root];
    const Object* declared = own.object == no_entity ? nullptr : &index_.objects[own.object];
    root.above = own.root;
    root.ns = own.id().ns;
    root.name = own.id().name;
    root.certainty = above.certainty;
    root.why = above.why;
    std::string cluster = made_.clusters[above.cluster].name;
    const Origin origin = origin_of(root.spec.source, root.ns, own.object, above.cluster);
    if (!root.spec.cluster.empty()) cluster += " through " + root.spec.cluster;
    root.cluster = cluster_for(cluster);
    root.ours = origin.ours;
    root.source = origin.declared;
    if (root.spec.post_build) {
        root.variables = std::make_shared<PostBuild>();
        *root.variables = *variables_for(root);
    }
    auto doubt = [&](std::string why) {
        if (root.certainty == Certainty::proven) {
            root.certainty = Certainty::possible;
            root.why = std::move(why);
        }
    };
    std::vector<std::string> dirs = folders_of(root.spec, origin);
    if (origin.ours == Ours::no || dirs.empty()) {
        root.gaps.push_back(origin.ours == Ours::no
                                ? Gap{Gap::Why::remote, root.place, "its source is another repository"}
                                : Gap{Gap::Why::templated, root.place, "its path is not known"});
        return add_root(std::move(root));
    }
    if (origin.ours == Ours::unknown) {
        doubt("its source is not known to be this repository");
        root.gaps.push_back({Gap::Why::unknown, root.place, "its source is not known to be this repository"});
    }
    // What cloud-init points at by a templated path is what new clusters are made from.
    if (root.spec.path.state == State::templated && !(declared && declared->bootstrap)) doubt("its path is not known");
    for (const std::string& dir : dirs) {
        Root one = root;
        one.dir = dir;
        add_root(std::move(one));
    }
}

void FleetWalk::add_root(Root root) {
    const std::string key = std::to_string(root.cluster) + " " + root.ns + "/" + root.name + " " + root.dir;
    if (!walked_.emplace(key, true).second && root.by == Root::By::flux) return; // flux-system applies itself
    const auto number = static_cast<std::uint32_t>(made_.roots.size());
    if (root.above == no_number) made_.clusters[root.cluster].tops.push_back(number);
    root.first = static_cast<std::uint32_t>(made_.instances.size());
    const bool here = root.ours != Ours::no && (root.gaps.empty() || root.gaps.back().why != Gap::Why::templated);
    if (here && !index_.tree->has_directory(root.dir))
        root.gaps.push_back(
            {Gap::Why::missing, root.place,
             index_.tree->is_unlisted(root.dir) ? "the folder is excluded" : "there is no such folder"});
    const bool builds = here && index_.tree->has_directory(root.dir);
    made_.roots.push_back(std::move(root));
    if (builds) build(number);
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
    return is_known(own) ? ignores_.emplace(source, SourceIgnore(*index_.tree, own.text)).first->second : ignore_;
}

void FleetWalk::build(std::uint32_t number) {
    Root& root = made_.roots[number];
    const SourceIgnore& ignore = ignore_for(root.source);
    const std::optional<ExtraLayer> layer = layer_of(index_, ignore, root.dir, root.spec);
    if (!layer ||
        (&ignore == &ignore_ && layer->generate && layer->ns.empty() && layer->name_prefix.empty() &&
         layer->name_suffix.empty() && layer->patches.empty() && layer->images.empty() && layer->components.empty())) {
        const std::string dir = root.dir;
        const bool flux = root.by == Root::By::flux;
        take(number, plain_build(dir, flux));
        if (PlainBuild& plain = plain_of(dir, flux); plain.uses && --plain.uses == 0) plain.build.reset();
        return;
    }
    BuildOptions options;
    options.keep_going = options.keep_order = options.load_anywhere = true; // as Flux builds
    options.refuse_charts = root.by == Root::By::flux;
    options.layer = &*layer;
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
                text, [&](std::string_view name) { return root.variables->look(name); }, root.variables->strict);
            if (!made.error.empty() || !made.unknown.empty()) return;
            known = true;
            text = made_.builder_->keep(made.text);
        };
        fill(one.resource.id.name, one.name_known);
        fill(one.resource.id.ns, one.ns_known);
        add_instance(std::move(one));
    }
}

void FleetWalk::add_instance(Instance one) {
    const Scope scope = scopes_.of(one.id().group, one.id().kind);
    one.cluster_scoped = scope.cluster;
    one.scope_known = scope.known;
    Root& root = made_.roots[one.root];
    if (one.object != no_entity) instanced_[one.object] = true;
    const auto at = static_cast<std::uint32_t>(made_.instances.size());
    const bool supplies = one.id().group.empty() && (one.id().kind == "ConfigMap" || one.id().kind == "Secret");
    if (supplies || one.id().group == source_group) by_name_[name_key(one.id().kind, one.id().name)].push_back(at);
    if (root.certainty != Certainty::loose && one.id().group == flux_group && one.id().kind == "Kustomization")
        waiting_.push_back({one.object == no_entity ? no_entity : flux_of_object_[one.object], at, false});
    if (input_.charts && root.certainty != Certainty::loose && one.id().kind == "HelmRelease" &&
        one.id().group == "helm.toolkit.fluxcd.io")
        releases_.push_back(at);
    made_.instances.push_back(std::move(one));
    ++root.count;
}

std::shared_ptr<PostBuild> FleetWalk::variables_for(const Root& root) const {
    auto made = std::make_shared<PostBuild>();
    made->strict = input_.strict_variables;
    made->open = root.by != Root::By::flux;
    if (root.spec.substitute_from)
        for (const Value* item : root.spec.substitute_from->items()) {
            const Cell kind = cell_at(item, {"kind"}), name = cell_at(item, {"name"});
            const Instance* found = nullptr;
            const auto named = by_name_.find(name_key(kind.text, name.text));
            if (is_known(name) && named != by_name_.end())
                for (std::uint32_t number : named->second) {
                    const Instance& one = made_.instances[number];
                    const bool here = made_.root_of(one).cluster == root.cluster && one.id().group.empty() &&
                                      (one.id().ns == root.ns || one.id().ns.empty() || root.ns.empty());
                    if (here && one.name_known && made_.certainty_of(one) == Certainty::proven) found = &one;
                }
            if (const Value* tree = found ? made_.tree_of(*found) : nullptr) {
                supply_from(tree, kind.text == "Secret", *made);
            } else if (!made->open) {
                made->open = true;
                made->why = kind.text + " " + name.text + " is not in what this cluster gets from here";
            }
        }
    supply_inline(root.spec.substitute, *made);
    return made;
}

} // namespace lockstep

// From the topmost roots down: each is built once per cluster, and the Flux Kustomizations among what it applies are
// the next roots. Wide first, so that variables are there when a path asks for them.
#include "deploy/fleet_walk.h"
#include "base/glob.h"
#include "index/cells.h"
#include "index/links.h"
#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <utility>

namespace lockstep {
namespace {

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

std::vector<MadeSync> made_by(const std::vector<OperatorSync>& syncs) {
    std::vector<MadeSync> made;
    for (const OperatorSync& sync : syncs)
        made.push_back(made_by(sync));
    return made;
}

constexpr std::string_view unknown_artifact = "nothing here says which folder its artifact is made of";

} // namespace

FleetWalk::FleetWalk(const Fleet::Input& input, Fleet& made)
    : input_(input), index_(input.index), made_(made), ignore_(input.tree), scopes_(input.index),
      flux_of_object_(input.index.objects.size(), no_entity), first_object_(input.tree.files.size() + 1, 0),
      instanced_(input.index.objects.size(), false), visited_(input.index.kustomizations.size(), false) {
    for (EntityId id = 0; id < index_.flux_kustomizations.size(); ++id)
        flux_of_object_[index_.flux_kustomizations[id].object] = id;
    for (const Object& object : index_.objects) // in file order
        ++first_object_[object.file + 1];
    std::partial_sum(first_object_.begin(), first_object_.end(), first_object_.begin());
    made.syncs = operator_syncs(index_, [&](EntityId object) { return sync_forms(object); });
    own_.emplace(input.index, input.repository_urls, made_by(made.syncs));
    // Most trees apply most of what they declare once, and growing would copy it again and again.
    made.roots.reserve(2 * index_.flux_kustomizations.size());
    made.instances.reserve(std::bit_ceil(index_.objects.size()));
    made.source_ours.clear();
    for (EntityId id = 0; id < index_.sources.size(); ++id) {
        if (!index_.sources[id].generated) source_of_object_.emplace(index_.sources[id].object, id);
        made.source_ours.push_back(own_->of(fields_of(index_.sources[id]), id));
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
        fill_variables(root);
}

void FleetWalk::drain() {
    while (!waiting_.empty() && !made_.beyond_limit) {
        const Waiting next = waiting_.front();
        waiting_.pop_front();
        go_on(next);
    }
}

std::uint32_t FleetWalk::cluster_for(const std::string& name) {
    const auto [known, fresh] = cluster_by_name_.emplace(name, static_cast<std::uint32_t>(made_.clusters.size()));
    if (fresh) made_.clusters.push_back({name, {}});
    return known->second;
}

// What each topmost kustomization over it makes of an object, with what is built beside it.
std::vector<SyncForm> FleetWalk::sync_forms(EntityId object) {
    std::vector<SyncForm> forms;
    const FileId file = index_.objects[object].file;
    for (EntityId list : kustomizations_over(file)) {
        if (input_.is_side && input_.is_side(index_.kustomizations[list].file)) continue;
        const Build& build = plain_build(index_.kustomizations[list].dir, true);
        for (const Resource& resource : build.resources) {
            if (resource.generated || resource.rendered || resource.document.file != file ||
                object_at(resource.document) != object)
                continue;
            const Value* tree = made_.builder_->tree(resource);
            if (!tree) continue;
            const auto supply = [this, &build](std::string_view kind, std::string_view name) -> const Value* {
                for (const Resource& one : build.resources)
                    if (one.id.kind == kind && one.id.name == name && one.id.group.empty())
                        return made_.builder_->tree(one);
                return nullptr;
            };
            forms.push_back({list, tree, std::string(resource.id.ns), supply});
        }
    }
    const auto nothing = [](std::string_view, std::string_view) -> const Value* { return nullptr; };
    if (forms.empty()) forms.push_back({no_entity, made_.declared_tree(object), {}, nothing});
    return forms;
}

// A cluster is called by the folder that it applies; where two apply one, by that of what makes the sync.
std::string FleetWalk::cluster_name(const OperatorSync& sync, const SyncFolder& folder) const {
    const Object& object = index_.objects[sync.object];
    if (const std::string& live = tree_of(index_, object); !live.empty()) return live;
    const auto same_path = [&](const OperatorSync& other) { return other.path.text == sync.path.text; };
    const auto same_object = [&](const OperatorSync& other) { return other.object == sync.object; };
    const auto& all = made_.syncs;
    if (folder.dir && !folder.dir->empty() && std::count_if(all.begin(), all.end(), same_path) == 1) return *folder.dir;
    if (sync.list != no_entity && std::count_if(all.begin(), all.end(), same_object) > 1)
        return index_.kustomizations[sync.list].dir;
    return cluster_folder(object);
}

void FleetWalk::add_syncs() {
    cluster_of_sync_.assign(made_.syncs.size(), no_number);
    for (std::size_t number = 0; number < made_.syncs.size(); ++number) {
        const OperatorSync& sync = made_.syncs[number];
        const Object& object = index_.objects[sync.object];
        if ((input_.is_side && input_.is_side(object.file)) || sync.path.state == State::templated || !is_set(sync.url))
            continue;
        const SyncFolder folder = folder_of(sync);
        Root root;
        root.cluster = cluster_of_sync_[number] = cluster_for(cluster_name(sync, folder));
        root.spec.path = sync.path;
        root.ns = sync.ns;
        root.name = sync.name;
        root.place = is_there(sync.path.place) ? sync.path.place : sync.url.place;
        if (folder.dir) root.dir = *folder.dir;
        if (!folder.certain) {
            root.certainty = Certainty::possible;
            root.why = unknown_artifact;
            root.ours = Ours::unknown;
            root.gaps.push_back({folder.dir ? Gap::Why::unknown : Gap::Why::templated, root.place, root.why});
        }
        sync_of_cluster_.try_emplace(
            root.cluster, ClusterSync{sync.ns, sync.name, OwnSources::identity_of(fields_of(made_by(sync)))});
        add_root(std::move(root));
    }
}

// The folder that a sync applies. An artifact of which nothing is known is perhaps made of the folder with the object
// that makes the sync.
FleetWalk::SyncFolder FleetWalk::folder_of(const OperatorSync& sync) const {
    const std::string path = clamp_path(sync.path.text);
    if (const auto root = own_->root_of(fields_of(made_by(sync)))) return {clamp_path(*root + "/" + path), true};
    if (!path.empty()) return {};
    const auto over = kustomizations_over(index_.objects[sync.object].file);
    if (over.size() != 1) return {};
    return {index_.kustomizations[over.front()].dir, false};
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
    for (std::size_t i = 0; i < tops.size() + other_syncs_.size(); ++i) { // these become more meanwhile
        const EntityId flux = i < tops.size() ? tops[i] : other_syncs_[i - tops.size()];
        const EntityId id = index_.flux_kustomizations[flux].object;
        const Object& object = index_.objects[id];
        const bool other = std::find(other_syncs_.begin(), other_syncs_.end(), flux) != other_syncs_.end();
        if (instanced_[id] && !other) continue;
        const Ours ours = origin_of(index_.flux_kustomizations[flux].source, object.ns.text, id, no_number).ours;
        // What is of another repository, nothing says that a cluster has it.
        if (ours == Ours::no || !done.insert(object.file).second) continue;
        const bool proven = ours == Ours::yes || object.bootstrap;
        const std::size_t first = made_.roots.size();
        const auto over = object.embedded ? std::vector<EntityId>()
                          : other         ? kustomization_beside(object.file)
                                          : kustomizations_over(object.file);
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
        const bool refused = std::any_of(made_.roots.begin() + static_cast<std::ptrdiff_t>(first), made_.roots.end(),
                                         [](const Root& root) { return !root.errors.empty(); });
        // A list that no longer builds was applied in its day: the cluster has this.
        if (over.empty() || (refused && !instanced_[id]))
            add_given(object.file, cluster_for(cluster_folder(object)), object.bootstrap);
        for (std::size_t root = first; !proven && root < made_.roots.size(); ++root) {
            made_.roots[root].certainty = Certainty::possible;
            made_.roots[root].why = "its source is not known to be this repository";
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

std::vector<EntityId> FleetWalk::kustomization_beside(FileId file) const {
    const auto own = index_.kustomization_by_dir.find(std::string(directory_of(index_.tree->files[file].path)));
    return own == index_.kustomization_by_dir.end() ? std::vector<EntityId>() : std::vector<EntityId>{own->second};
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
    for (EntityId id = first_object_[file]; id < first_object_[file + 1]; ++id) {
        const Object* object = &index_.objects[id];
        if (object->bootstrap != bootstrap || (object->embedded && !bootstrap) || object->partial ||
            !is_set(object->name) || !is_set(object->kind))
            continue;
        Instance one;
        one.object = id;
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

// A kustomization that no root includes and no other lists; with `all` those that only each other list, too. One that
// kustomize refuses is in no build, and its list tells of it.
bool FleetWalk::is_topmost(EntityId id, bool all) const {
    const Kustomization& made = index_.kustomizations[id];
    const auto at_dir = index_.kustomization_by_dir.find(made.dir);
    const bool own = !made.component && !made.embedded && !visited_[id] &&
                     at_dir != index_.kustomization_by_dir.end() && at_dir->second == id;
    const auto listed = index_.dir_listers.find(id);
    if (!own || listed == index_.dir_listers.end()) return own;
    return all && std::none_of(listed->second.begin(), listed->second.end(),
                               [&](std::uint32_t edge) { return visited_[index_.listed_edges[edge].kustomization]; });
}

bool FleetWalk::is_part_of_component(EntityId id) const {
    const auto listed = index_.dir_listers.find(id);
    return listed != index_.dir_listers.end() &&
           std::any_of(listed->second.begin(), listed->second.end(), [&](std::uint32_t edge) {
               return index_.kustomizations[index_.listed_edges[edge].kustomization].component;
           });
}

void FleetWalk::add_alone() {
    const auto spare = made_.has_roots ? std::map<EntityId, std::string>() : unneeded();
    for (bool all : {false, true})
        for (EntityId id = 0; id < index_.kustomizations.size() && !made_.beyond_limit; ++id) {
            if (!is_topmost(id, all)) continue;
            const Kustomization& made = index_.kustomizations[id];
            Root root;
            root.by = Root::By::alone;
            root.dir = made.dir;
            root.place = {made.file, {made.place.span.begin, made.place.span.begin}};
            root.cluster = cluster_for(made.dir);
            const bool side = input_.is_side && input_.is_side(made.file);
            const auto known = spare.find(id);
            const bool part = is_part_of_component(id);
            if (made_.has_roots || side || part || known != spare.end()) {
                root.certainty = Certainty::loose;
                root.why = side                   ? "a sample or a test by its path"
                           : known != spare.end() ? known->second
                           : part                 ? "nothing takes the component that lists it"
                                                  : "nothing in this tree applies it";
            }
            add_root(std::move(root));
        }
}

void FleetWalk::go_on(const Waiting& waiting) {
    const Instance maker = made_.instances[waiting.maker];
    Root& above = made_.roots[maker.root];
    // Many roots that build one folder apply one Kustomization many times.
    if (!waiting.tried && maker.resource.step && !gone_on_.emplace(above.cluster, maker.resource.step).second) return;
    fill_variables(above);
    Arena arena; // most specs hold nothing that must stay
    const Value* tree = made_.tree_of(maker, arena);
    if (!tree) return;
    FluxSpec spec = read_flux_spec(tree);
    const bool unclear = spec.path.state == State::templated || spec.source.name.state == State::templated;
    if (unclear && !waiting.tried) { // what supplies the variable may not be built yet
        waiting_.push_back({waiting.flux, waiting.maker, true});
        return;
    }
    if (begins_another_cluster(waiting.flux, maker, above.cluster)) {
        other_syncs_.push_back(waiting.flux);
        return;
    }
    if (spec.holds_trees()) spec = read_flux_spec(made_.tree_of(maker, *made_.specs_));
    add_roots(std::move(spec), waiting.flux, waiting.maker);
}

FleetWalk::Origin FleetWalk::origin_of(const Reference& source, const std::string& ns, EntityId referrer,
                                       std::uint32_t cluster) const {
    Origin origin;
    if (!is_known(source.name) || !is_known(source.kind)) return origin;
    const std::string wanted = is_known(source.ns) ? source.ns.text : ns;
    if (const auto named = by_name_.find(name_key(source.kind.text, source.name.text)); named != by_name_.end())
        for (std::uint32_t number : named->second) {
            const Instance& one = made_.instances[number];
            const bool here = made_.root_of(one).cluster == cluster && one.id().group == flux_source_group &&
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
            origin.ours = own_->of(fields, origin.declared);
            origin.root = own_->root_of(fields);
            return origin;
        }
    if (origin.declared == no_entity) {
        Reference looked = source;
        if (!is_set(looked.ns) && !ns.empty()) looked.ns = {State::known, ns, source.place};
        origin.declared = find_source(index_, looked, referrer);
        // One of a sample or of what a generator writes elsewhere shares no more than the name.
        const auto is_side = [&](EntityId object) { return input_.is_side(index_.objects[object].file); };
        if (origin.declared != no_entity && input_.is_side && referrer != no_entity && !is_side(referrer) &&
            is_side(index_.sources[origin.declared].object))
            return {};
    }
    if (origin.declared != no_entity) {
        origin.ours = own_->of(fields_of(index_.sources[origin.declared]), origin.declared);
        origin.root = own_->root_of(fields_of(index_.sources[origin.declared]));
    } else {
        origin.ours = own_->of_implicit(source.kind.text, source.name.text);
        origin.root = own_->root_of_implicit(source.kind.text, source.name.text);
    }
    return origin;
}

std::vector<std::string> FleetWalk::folders_of(const FluxSpec& spec, const Origin& origin) const {
    std::string path = clamp_path(spec.path.text);
    if (origin.declared != no_entity && index_.sources[origin.declared].generated && is_known(spec.path))
        return copied_from(index_.sources[origin.declared], path);
    if (!origin.root && path.empty()) return {};
    if (origin.root && !origin.root->empty()) path = clamp_path(*origin.root + "/" + path);
    if (spec.path.state != State::templated) return {path}; // an absent path is the root
    std::vector<std::string> found;
    if (const Result<Glob> glob = Glob::compile(pattern_of(path)))
        for (const Kustomization& made : index_.kustomizations)
            if (!made.embedded && glob->matches(made.dir)) found.push_back(made.dir);
    return found;
}

void FleetWalk::add_roots(FluxSpec spec, EntityId flux, std::uint32_t maker) {
    Root root;
    root.spec = std::move(spec);
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
        fill_variables(root);
    }
    auto doubt = [&](std::string why) {
        if (root.certainty == Certainty::proven) {
            root.certainty = Certainty::possible;
            root.why = std::move(why);
        }
    };
    std::vector<std::string> dirs = folders_of(root.spec, origin);
    if (origin.ours == Ours::no || dirs.empty()) {
        const bool artifact = dirs.empty() && !origin.root;
        if (origin.ours != Ours::no && artifact) doubt(std::string(unknown_artifact));
        root.gaps.push_back(origin.ours == Ours::no
                                ? Gap{Gap::Why::remote, root.place, "its source is another repository"}
                                : Gap{Gap::Why::templated, root.place,
                                      artifact ? std::string(unknown_artifact) : "its path is not known"});
        return add_root(std::move(root));
    }
    if (origin.ours == Ours::unknown) {
        doubt("its source is not known to be this repository");
        root.gaps.push_back({Gap::Why::unknown, root.place, "its source is not known to be this repository"});
    }
    // What cloud-init points at by a templated path is what new clusters are made from.
    if (root.spec.path.state == State::templated && !(declared && declared->bootstrap)) doubt("its path is not known");
    for (std::size_t i = 0; i < dirs.size(); ++i) {
        Root one = i + 1 < dirs.size() ? root : std::move(root);
        one.dir = std::move(dirs[i]);
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

} // namespace lockstep

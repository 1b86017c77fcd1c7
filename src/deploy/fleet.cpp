// Makes a fleet searchable and answers the short questions.
#include "deploy/fleet.h"
#include "deploy/fleet_walk.h"
#include "deploy/inflated_charts.h"
#include "deploy/rendered_files.h"
#include "index/cells.h"
#include <algorithm>
#include <numeric>
#include <set>

namespace lockstep {
namespace {

constexpr std::size_t most_kept_bytes = 64ULL << 20; // bytes of trees

// What Helm or Terraform fills in later is not known.
void mark_templated(Value& value) {
    if (value.text.find('{') != std::string_view::npos && // few hold one
        (value.text.find("${") != std::string_view::npos || value.text.find("{{") != std::string_view::npos))
        value.unknown = true;
    for (Value* child : value.all())
        mark_templated(*child);
}

// What is built may be several times what is written, and not a thousand times.
BuildLimits limits_for(const Fleet::Input& input) {
    BuildLimits limits;
    limits.resources = input.most;
    limits.memory = std::size_t{64} << 20U;
    for (const File& file : input.tree.files)
        limits.memory += 64 * file.text.size(); // twenty clusters of one base took twenty times as much
    return limits;
}

Loader loader_with_charts(const Fleet::Input& input, const std::shared_ptr<RenderedFiles>& rendered) {
    Loader loader = loader_for(input.tree, input.index, input.files, rendered);
    if (input.charts) loader.inflate = chart_inflater(input.tree, input.index, *input.charts, input.kubernetes);
    return loader;
}

bool is_below_kustomization(const Index& index, std::string_view path) {
    if (index.kustomization_by_dir.empty()) return false;
    for (std::string_view dir = directory_of(path);; dir = directory_of(dir)) {
        if (index.kustomization_by_dir.count(std::string(dir))) return true;
        if (dir.empty()) return false;
    }
}

} // namespace

Fleet::Fleet(const Input& input)
    : index_(input.index), files_(input.files),
      rendered_files_(std::make_shared<RenderedFiles>(input.tree.files.size())),
      builder_(std::make_unique<Builder>(loader_with_charts(input, rendered_files_), limits_for(input))),
      specs_(std::make_unique<Arena>()) {
    for (File& file : input.tree.files)
        if (file_name_of(file.path) == SourceIgnore::file_name) read_file(input.tree, file);
    auto walk = std::make_unique<FleetWalk>(input, *this);
    Input told = input;
    walk->run();
    if (std::vector<std::string> urls = self_applying_urls(); !urls.empty() && !beyond_limit) {
        told.repository_urls.insert(told.repository_urls.end(), urls.begin(), urls.end());
        clusters.clear();
        roots.clear();
        instances.clear();
        walk = std::make_unique<FleetWalk>(told, *this);
        walk->run();
    }
    walk->render_releases();
    walk->render_unreleased();
    if (beyond_limit) { // a part would look like the whole to those who ask
        clusters.clear();
        roots.clear();
        instances.clear();
        releases.clear();
        unreleased.assign(index_.charts.size(), {});
    }
    walk.reset();
    settle_beginnings();
    make_searchable(input.tree, input.is_side);
    settled_ = true;
}

Fleet::~Fleet() = default;

void Fleet::make_searchable(const Tree& tree, const std::function<bool(FileId)>& is_side) {
    const Index& index = index_;
    std::vector<std::uint32_t> objects, fluxes;
    objects.reserve(instances.size());
    by_name_.reserve(instances.size());
    for (std::uint32_t i = 0; i < instances.size(); ++i) {
        objects.push_back(instances[i].object);
        by_name_.add(instances[i].id().kind, instances[i].id().name, i);
    }
    by_name_.sort();
    for (const Root& root : roots)
        fluxes.push_back(root.flux);
    by_object_ = Groups(index.objects.size(), objects);
    by_flux_ = Groups(index.flux_kustomizations.size(), fluxes);
    std::vector<std::uint32_t> charts;
    for (EntityId id = 0; id < index.releases.size(); ++id)
        charts.push_back(index.release_edges[id].chart);
    by_chart_ = Groups(index.charts.size(), charts);

    note_rendered_charts();
    for (EntityId id = 0; id < index.kustomizations.size(); ++id)
        if (!index.kustomizations[id].embedded) kustomization_of_.emplace(index.kustomizations[id].file, id);
    file_certainty_.assign(tree.files.size(), Certainty::loose);
    auto raise = [&](FileId file, Certainty certainty) {
        if (file < file_certainty_.size()) file_certainty_[file] = std::max(file_certainty_[file], certainty);
    };
    for (const Instance& one : instances)
        raise(one.resource.document.file, certainty_of(one));
    std::vector<Certainty> kustomizations(index.kustomizations.size(), Certainty::loose);
    through_.resize(index.kustomizations.size());
    std::vector<std::uint32_t> order(roots.size()); // what Flux builds comes first: those chains say more
    std::iota(order.begin(), order.end(), 0U);
    std::stable_partition(order.begin(), order.end(),
                          [&](std::uint32_t number) { return roots[number].passed_over_by == no_number; });
    for (const std::uint32_t number : order) {
        const Root& root = roots[number];
        for (std::uint32_t i = 0; i < root.errors.size(); ++i) { // what is refused would be applied
            const BuildError& error = root.errors[i];
            std::set<FileId> files;
            for (const Place& place : {error.place, error.document, error.first_document})
                if (is_there(place) && files.insert(place.file).second) refused_[place.file].push_back({number, i});
            for (FileId file : files)
                raise(file, root.certainty);
        }
        for (const std::string& folder : root.folders) {
            const auto found = index.kustomization_by_dir.find(folder);
            if (found == index.kustomization_by_dir.end()) continue;
            kustomizations[found->second] = std::max(kustomizations[found->second], root.certainty);
            through_[found->second].push_back(number);
        }
    }
    for (EntityId id = 0; id < kustomizations.size(); ++id)
        raise(index.kustomizations[id].file, kustomizations[id]);
    note_kept_back();
    for (std::uint32_t i = 0; i < index.listed_edges.size(); ++i) // patches, inputs of generators
        if (const ListedEdge& edge = index.listed_edges[i]; edge.target == Target::file && !is_kept_back(i))
            raise(edge.file, kustomizations[edge.kustomization]);
    for (const Object& object : index.objects)
        if (object.bootstrap) raise(object.file, Certainty::proven);
    // Where nothing says what is applied, not even a list, a chart or another tool, each file may be.
    if (!has_roots && index.kustomizations.empty() && index.charts.empty() && index.foreign_counts.empty())
        for (FileId file = 0; file < tree.files.size(); ++file)
            if (!is_below_kustomization(index, tree.files[file].path) && !(is_side && is_side(file)))
                raise(file, Certainty::proven);
    for (EntityId id = 0; id < index.releases.size(); ++id)
        if (const EntityId chart = index.release_edges[id].chart; chart != no_entity)
            raise(index.charts[chart].file, certainty_of(index.releases[id].object));
    for (const Chart& chart : index.charts) {
        if (!has_roots) raise(chart.file, Certainty::proven);
        for (const auto* files : {&chart.templates, &chart.values_files})
            for (FileId file : *files)
                raise(file, file_certainty_[chart.file]);
    }
}

// Entries whose file Flux leaves out of what it fetches, for each root that builds the list.
void Fleet::note_kept_back() {
    std::map<Place, std::size_t> kept_back; // roots by entry
    for (const Root& root : roots)
        for (const BuildError& error : root.errors)
            if (error.kind == BuildError::Kind::kept_back) ++kept_back[error.place];
    for (std::uint32_t i = 0; !kept_back.empty() && i < index_.listed_edges.size(); ++i) {
        const ListedEdge& edge = index_.listed_edges[i];
        const auto found = kept_back.find(index_.kustomizations[edge.kustomization].listed[edge.entry].path.place);
        if (found != kept_back.end() && found->second == through_[edge.kustomization].size()) kept_back_.insert(i);
    }
}

std::vector<std::uint32_t> Fleet::find(std::uint32_t cluster, std::string_view group, std::string_view kind,
                                       std::string_view ns, std::string_view name) const {
    std::vector<std::uint32_t> found;
    for (const auto& [hash, number] : by_name_.candidates(kind, name)) {
        const Instance& one = instances[number];
        if (one.id().kind != kind || one.id().name != name) continue;
        if (root_of(one).cluster != cluster || one.id().group != group) continue;
        if (ns.empty() || one.cluster_scoped || one.id().ns.empty() || !one.ns_known || one.id().ns == ns)
            found.push_back(number);
    }
    return found;
}

const Value* Fleet::tree_of(const Instance& instance) const {
    return instance.as_declared ? declared_tree(instance.object) : builder_->tree(instance.resource);
}

const Value* Fleet::tree_of(const Instance& instance, Arena& arena, BuildError* error) const {
    if (instance.as_declared) return declared_tree(instance.object, arena);
    // Ten rules ask for the releases of a fleet, and what patches make of them costs ten times the reading.
    const bool costly = instance.resource.patches || root_of(instance).variables;
    if (costly && settled_ && builder_->kept_bytes() < most_kept_bytes) return builder_->tree(instance.resource, error);
    return builder_->tree(instance.resource, arena, error);
}

std::vector<const Value*> Fleet::trees_of(const Root& root, Arena& arena) const {
    std::vector<const Value*> trees;
    Value* labels = make_mapping(arena);
    set(*labels, "kustomize.toolkit.fluxcd.io/name", make_text(arena, root.name), arena);
    set(*labels, "kustomize.toolkit.fluxcd.io/namespace", make_text(arena, root.ns), arena);
    for (std::uint32_t i = root.first; i < root.first + root.count; ++i) {
        if (instances[i].as_declared) {
            trees.push_back(declared_tree(instances[i].object, arena));
            continue;
        }
        Value* tree = builder_->tree(instances[i].resource, arena);
        if (tree && root.by == Root::By::flux) add_metadata(*tree, arena, "labels", labels);
        trees.push_back(tree);
    }
    return trees;
}

const Value* Fleet::declared_tree(EntityId id) const {
    const std::scoped_lock lock(declared_->busy);
    const auto [known, fresh] = declared_->trees.emplace(id, nullptr);
    if (fresh) known->second = declared_tree(id, declared_->arena);
    return known->second;
}

const Value* Fleet::declared_tree(EntityId id, Arena& arena) const {
    const Object& object = index_.objects[id];
    for (const DocumentView& document : files_.view(object.file).documents) {
        if (document.span != object.document || !document.root || document.embedded != object.embedded) continue;
        Value* tree = value_of(document.root, object.file, arena);
        if (tree) mark_templated(*tree);
        return tree;
    }
    return nullptr;
}

const Value* Fleet::built_tree_of(const Instance& instance) const {
    if (!instance.built) return tree_of(instance);
    Resource built = instance.resource;
    built.step = instance.built;
    return builder_->tree(built);
}

std::vector<ChainLink> Fleet::chain_of(const Root& root) const {
    std::vector<ChainLink> chain;
    if (root.maker != no_number) chain = chain_of(instances[root.maker]);
    const auto number = static_cast<std::uint32_t>(&root - roots.data());
    if (root.by == Root::By::flux)
        chain.push_back({ChainLink::By::flux, root.flux, root.place, number});
    else if (root.by == Root::By::release)
        chain.push_back({ChainLink::By::release, root.release, root.place, number});
    else if (root.by == Root::By::config)
        chain.push_back({ChainLink::By::config, no_entity, root.place, number});
    return chain;
}

std::vector<ChainLink> Fleet::chain_of(const Instance& instance) const {
    const Root& root = root_of(instance);
    std::vector<ChainLink> chain = chain_of(root);
    if (root.by == Root::By::given)
        chain.push_back({ChainLink::By::given, instance.object, instance.resource.document, instance.root});
    if (root.is_rendered() && root.chart != no_entity)
        chain.push_back({ChainLink::By::chart, root.chart, index_.charts[root.chart].name.place, instance.root});
    for (const Via* via = instance.resource.via; via; via = via->below) {
        const EntityId made = kustomization_in(via->kustomization);
        if (made != no_entity)
            chain.push_back({ChainLink::By::kustomization, made, via->entry, instance.root});
        else
            chain.push_back({ChainLink::By::folder, no_entity, via->entry, instance.root});
    }
    return chain;
}

std::span<const std::uint32_t> Fleet::roots_through(EntityId kustomization) const {
    if (kustomization >= through_.size()) return {};
    return through_[kustomization];
}

std::span<const Fleet::Refusal> Fleet::refusals_of(FileId file) const {
    const auto found = refused_.find(file);
    if (found == refused_.end()) return {};
    return found->second;
}

EntityId Fleet::kustomization_in(FileId file) const {
    const auto found = kustomization_of_.find(file);
    return found == kustomization_of_.end() ? no_entity : found->second;
}

const ReleaseRow* Fleet::release_of(std::uint32_t instance) const {
    const auto found = release_by_maker_.find(instance);
    return found == release_by_maker_.end() ? nullptr : &releases[found->second];
}

std::vector<std::uint32_t> Fleet::those_that_count(std::vector<std::uint32_t> found) const {
    const auto is_loose = [&](std::uint32_t number) { return certainty_of(instances[number]) == Certainty::loose; };
    if (!std::all_of(found.begin(), found.end(), is_loose)) std::erase_if(found, is_loose);
    return found;
}

std::vector<std::uint32_t> Fleet::applied(EntityId object) const {
    const auto all = of_object(object);
    return those_that_count({all.begin(), all.end()});
}

std::vector<std::uint32_t> Fleet::applied_by_kustomize(EntityId object) const {
    const auto all = of_object(object);
    std::vector<std::uint32_t> found(all.begin(), all.end());
    std::erase_if(found, [&](std::uint32_t number) { return root_of(instances[number]).is_rendered(); });
    return those_that_count(std::move(found));
}

std::uint32_t Fleet::applied_again_as(const Instance& instance) const {
    const Root& root = root_of(instance);
    if (root.by != Root::By::given || instance.object == no_entity) return no_number;
    const auto all = of_object(instance.object);
    const auto found = std::find_if(all.begin(), all.end(), [&](std::uint32_t number) {
        const Root& other = root_of(instances[number]);
        return other.by == Root::By::flux && other.cluster == root.cluster && other.certainty >= root.certainty;
    });
    return found == all.end() ? no_number : *found;
}

Certainty Fleet::certainty_of(EntityId object) const {
    Certainty best = Certainty::loose;
    for (std::uint32_t number : of_object(object))
        best = std::max(best, certainty_of(instances[number]));
    return best;
}

} // namespace lockstep

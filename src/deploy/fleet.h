// What every cluster gets from this tree: clusters, the roots that apply things to them, and one row per object that a
// root applies, with the chain that leads to it and its tree as the API server gets it. The only place that answers
// «is this applied, by whom, with which values»; built when the first rule or command asks, and never changed after.
#pragma once
#include "base/groups.h"
#include "base/hashed_names.h"
#include "deploy/syncs.h"
#include "deploy/variables.h"
#include "index/index.h"
#include "index/parsed_files.h"
#include "kustomize/build.h"
#include <mutex>
#include <set>

namespace lockstep {

class ChartLibrary;
class RenderedFiles;
struct RenderedChart;

// How sure it is that some cluster gets a thing.
enum class Certainty : std::uint8_t {
    loose,    // nothing in this tree applies it
    possible, // something may
    proven,
};

// Something that a root applies and this tree does not show.
struct Gap {
    enum class Why : std::uint8_t {
        remote,    // a url, or a source that is another repository
        unknown,   // a source of which nobody knows whether it is this repository
        templated, // a path that is not known
        missing,   // a folder that is not there
        plugin,    // exec or container functions
        chart,     // a chart that is not at hand
        unread,    // a file that is no plain YAML
    } why = Why::remote;
    Place place;
    std::string reason;
};

// Something that builds one folder and applies the result.
struct Root {
    enum class By : std::uint8_t {
        given,   // what a cluster begins with: a topmost Flux Kustomization with its file or its kustomization
        flux,    // a Flux Kustomization
        release, // a HelmRelease whose chart is at hand: what the chart makes of its values
        config,  // `applied:` says that another repository applies the folder
        alone,   // a kustomization that nothing here leads to
        chart,   // a chart that no release here uses: what it makes of its own values
    } by = By::flux;
    EntityId flux = no_entity;                       // the Flux Kustomization as declared
    EntityId release = no_entity, chart = no_entity; // of a release or a chart, where this tree declares them
    std::uint32_t maker = no_number;                 // the instance that is that Flux Kustomization or HelmRelease
    std::uint32_t above = no_number;                 // the root that applies it; none for all but these
    std::uint32_t cluster = no_number;
    std::string dir;      // what it builds, relative to the root of the tree; of `given` the folder of the file
    std::string ns, name; // of the Flux Kustomization; of a release where and as what Helm installs it
    Place place;          // spec.path, or what stands for it
    Certainty certainty = Certainty::proven;
    std::string why = {};    // when it is not proven
    bool one_stream = false; // of a release: post-renderers get hooks and the rest together
    bool begins = false;     // of `given`: a sync, or something that applies the folder it is in
    // Of `given`: the root of its own sync, which does not reach its folder. Only a new bootstrap builds that.
    std::uint32_t passed_over_by = no_number;
    Ours ours = Ours::yes;
    EntityId source = no_entity; // as declared; none for one that bootstrapping makes, or that nobody here declares
    FluxSpec spec;
    std::shared_ptr<PostBuild> variables; // none: nothing is substituted
    std::vector<Gap> gaps = {};
    std::string unread_change = {};      // a patch or a transformer that is not here may change any of its objects
    std::vector<BuildError> errors = {}; // what kustomize refuses; it is left out of the instances
    std::shared_ptr<const BuildError> dropped = {}; // a field that Flux drops from the folder's own kustomization
    std::vector<RemovedResource> removed = {};      // what patches delete
    std::vector<std::string> folders = {};          // every folder that took part
    std::uint32_t first = 0, count = 0;             // of Fleet::instances

    bool complete() const { return gaps.empty(); }
    bool is_rendered() const { return by == By::release || by == By::chart; } // Helm makes and applies it
};

struct Instance {
    Resource resource;               // `id` is as the API server gets it; what is not known keeps its `${}`
    bool as_declared = false;        // no kustomization builds it: its tree is that of `object`
    const TreeStep* built = nullptr; // how kustomize makes the tree, before Flux substitutes anything
    EntityId object = no_entity;     // as declared; no_entity for what a generator makes
    std::uint32_t root = no_number;
    bool name_known = true, ns_known = true;
    bool cluster_scoped = false, scope_known = true;

    const ResourceId& id() const { return resource.id; }
};

// A HelmRelease that some cluster gets, and what became of its chart.
struct ReleaseRow {
    std::uint32_t maker = no_number;       // the instance
    std::uint32_t root = no_number;        // with what it renders; none when there is nothing
    EntityId declared = no_entity;         // as written; none for one that a chart renders
    EntityId chart = no_entity;            // of this tree
    std::string name, version, repository; // of the chart, as the release asks for it
    std::string where;                     // folder or archive of what is at hand
    Place place;                           // where it does
    std::string why_not;                   // not rendered: the reason
    std::string doubt;                     // why nobody can be sure of its values
    std::shared_ptr<const RenderedChart> rendered = {};
};

// A chart that no release here renders, with its own values. What it makes are instances where nothing else renders it.
struct UnreleasedChart {
    std::shared_ptr<const RenderedChart> rendered = {}; // none: a release renders it, or it is a library
    std::string why_not = {};                           // its own values do not tell what it makes: the reason
};

struct Cluster {
    std::string name;                // the folder it is called by
    std::vector<std::uint32_t> tops; // roots without one above
};

// One link of a chain, from the top down.
struct ChainLink {
    enum class By : std::uint8_t {
        given,
        flux,
        config,
        kustomization,
        folder,
        release,
        chart,
    } by = By::flux;
    EntityId id = no_entity; // as declared: Flux Kustomization, kustomization, release, chart; of `given` the object
    Place place;             // what leads on: spec.path, the entry of the kustomization; of `given` the object
    std::uint32_t root = no_number; // the root that the link is, or belongs to
};

class Fleet {
public:
    struct Input {
        Tree& tree;
        const Index& index;
        ParsedFiles& files;
        std::vector<std::string> applied = {};         // folders that another repository applies
        std::vector<std::string> repository_urls = {}; // of this repository
        std::function<bool(FileId)> is_side = {};      // a sample, a test, vendored; may be empty
        std::size_t most = 1'000'000;                  // roots and instances
        const ChartLibrary* charts = nullptr;          // none: no chart is rendered
        std::string kubernetes = {};                   // of the config; empty: what the tree pins, else the newest
        unsigned jobs = 1;                             // threads that render
    };
    explicit Fleet(const Input& input);
    ~Fleet();
    Fleet(const Fleet&) = delete;
    Fleet& operator=(const Fleet&) = delete;

    std::vector<Cluster> clusters;
    std::vector<Root> roots;         // what is given first
    std::vector<Instance> instances; // by root, in the order in which kustomize writes them
    std::vector<ReleaseRow> releases;
    std::vector<UnreleasedChart> unreleased; // by chart of the index
    std::vector<OperatorSync> syncs;         // that the Flux Operator makes
    std::vector<Ours> source_ours;           // one per Source as declared: is it this Git repository
    bool argo_names = false; // no roots, but Applications of Argo CD name folders: the others are not taken as applied
    bool has_roots = false;  // else nothing says what is applied, and every topmost kustomization is taken as applied
    bool beyond_limit = false; // more than the limit allows: nothing here can be trusted
    Place limit_met_at;
    const std::string& limit_met() const { return limit_met_; } // in words, where it is not that of the objects

    // The row of a HelmRelease; nullptr for other instances, and for what nothing applies.
    const ReleaseRow* release_of(std::uint32_t instance) const;
    // Every release of the chart shows all that it brings: what has no instance, no cluster gets.
    bool is_rendered(EntityId chart) const { return chart < rendered_charts_.size() && rendered_charts_[chart]; }
    // Helm made it: for a release, for a chart by itself, for helmCharts of a kustomization.
    bool is_rendered(const Instance& one) const { return one.resource.rendered || root_of(one).is_rendered(); }
    // All that use the chart of a template render it: its instances say what it is, and its text nothing more.
    bool is_shown(const Object& object) const;
    const Root& root_of(const Instance& instance) const { return roots[instance.root]; }
    Certainty certainty_of(const Instance& instance) const { return root_of(instance).certainty; }
    std::span<const std::uint32_t> of_object(EntityId object) const { return by_object_.of(object); }
    // Those that count: where something applies an object, a kustomization for local builds does not.
    std::vector<std::uint32_t> applied(EntityId object) const;
    // The same without those that Helm applies: what Flux does with an object's annotations concerns the others.
    std::vector<std::uint32_t> applied_by_kustomize(EntityId object) const;
    // What a cluster begins with is mostly applied by its first Flux Kustomization as well: that instance, which says
    // more; no_number for none.
    std::uint32_t applied_again_as(const Instance& instance) const;
    std::span<const std::uint32_t> of_flux(EntityId flux) const { return by_flux_.of(flux); } // roots
    // Those of a kind and name in one cluster. An empty `ns` asks for any; one whose namespace is not known is a
    // candidate for every namespace.
    std::vector<std::uint32_t> find(std::uint32_t cluster, std::string_view group, std::string_view kind,
                                    std::string_view ns, std::string_view name) const;
    // As the API server gets it: after generators, patches, transformers and substitution. nullptr when kustomize
    // fails on it. For several threads at a time.
    const Value* tree_of(const Instance& instance) const;
    // As kustomize writes it: before substitution and common metadata.
    const Value* built_tree_of(const Instance& instance) const;
    // The same for somebody who looks at very many of them: into memory of the caller, but for those that are patched
    // or substituted, which are kept while there are not too many. `error` says what kustomize fails on.
    const Value* tree_of(const Instance& instance, Arena& arena, BuildError* error = nullptr) const;
    // As it is written, for what nothing applies; nullptr when it cannot be read. For several threads at a time.
    const Value* declared_tree(EntityId object) const;
    const Value* declared_tree(EntityId object, Arena& arena) const;

    // One per instance of a root, as Flux applies it: with its own labels. nullptr when kustomize fails on it.
    std::vector<const Value*> trees_of(const Root& root, Arena& arena) const;

    // From what the cluster begins with down to the kustomization that lists the object.
    std::vector<ChainLink> chain_of(const Instance& instance) const;
    std::vector<ChainLink> chain_of(const Root& root) const; // ends with the root itself

    // Roots whose build a kustomization is a part of.
    std::span<const std::uint32_t> roots_through(EntityId kustomization) const;
    EntityId kustomization_in(FileId file) const; // the kustomization that the file is; no_entity for none
    // Releases that install a chart of this tree, as declared.
    std::span<const std::uint32_t> releases_of(EntityId chart) const { return by_chart_.of(chart); }
    // What kustomize refuses about a file.
    struct Refusal {
        std::uint32_t root = no_number, error = 0; // of `roots` and its `errors`
    };
    std::span<const Refusal> refusals_of(FileId file) const;

    // A file that a kustomization lists and Flux leaves out of what it fetches: by its number in Index::listed_edges.
    bool is_kept_back(std::uint32_t edge) const { return kept_back_.count(edge) > 0; }

    // The best chain of an object; of anything in a file, the kustomization that it is and the patch included.
    Certainty certainty_of(EntityId object) const;
    Certainty certainty_of_file(FileId file) const { return file_certainty_[file]; }

private:
    friend class FleetWalk;
    std::vector<std::string> self_applying_urls() const;
    void settle_beginnings();
    void note_passed_over();
    std::vector<std::uint32_t> those_that_count(std::vector<std::uint32_t> found) const;
    void make_searchable(const Tree& tree, const std::function<bool(FileId)>& is_side);
    void note_rendered_charts();
    void note_kept_back();

    const Index& index_;
    ParsedFiles& files_;
    std::shared_ptr<RenderedFiles> rendered_files_;
    std::unique_ptr<Builder> builder_;
    struct Declared { // trees that were asked for
        std::mutex busy = {};
        Arena arena = {};
        std::unordered_map<EntityId, const Value*> trees = {};
    };
    std::unique_ptr<Declared> declared_ = std::make_unique<Declared>();
    std::unique_ptr<Arena> specs_; // trees of Flux Kustomizations
    Groups by_object_, by_flux_, by_chart_;
    std::vector<std::vector<std::uint32_t>> through_; // by kustomization
    std::unordered_map<FileId, std::vector<Refusal>> refused_;
    std::set<std::uint32_t> kept_back_;
    HashedNames by_name_;
    std::vector<Certainty> file_certainty_;
    std::unordered_map<std::uint32_t, std::uint32_t> release_by_maker_;
    std::vector<bool> rendered_charts_, shown_charts_;
    std::unordered_map<FileId, EntityId> kustomization_of_; // by its file
    std::string limit_met_;
    bool settled_ = false; // no variable will get another value
};

} // namespace lockstep

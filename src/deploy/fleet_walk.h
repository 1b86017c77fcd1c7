// Builds a fleet: finds the topmost roots, builds what each applies, and goes on with the Flux Kustomizations among
// that. Internal to Fleet.
#pragma once
#include "deploy/cluster_versions.h"
#include "deploy/fleet.h"
#include "deploy/flux_folder.h"
#include "deploy/post_renderers.h"
#include "deploy/rendered_files.h"
#include "deploy/scopes.h"
#include "deploy/syncs.h"
#include "index/own_sources.h"
#include <deque>
#include <optional>
#include <set>

namespace lockstep {

class FleetWalk {
public:
    FleetWalk(const Fleet::Input& input, Fleet& made);
    void run();
    // What HelmReleases among it bring, whose charts are at hand; once, at the end.
    void render_releases();
    // Then the charts that none of them uses.
    void render_unreleased();

private:
    struct Waiting { // a Flux Kustomization whose root is not made yet
        EntityId flux = no_entity;
        std::uint32_t maker = no_number;
        bool tried = false;
    };
    struct Origin { // where a Flux Kustomization's source leads
        Ours ours = Ours::unknown;
        EntityId declared = no_entity;
        std::optional<std::string> root; // the folder of this tree that is its root, where that is known
    };
    struct SyncFolder {
        std::optional<std::string> dir;
        bool certain = false;
    };
    struct ClusterSync { // by which a cluster is known
        std::string ns, name, identity;
    };

    // topmost.cpp
    std::vector<EntityId> topmost_flux();
    bool is_candidate(EntityId flux) const;
    bool is_live_copy(const Object& object) const;
    std::string cluster_folder(const Object& object) const;
    std::string sync_identity(EntityId flux) const;
    bool begins_another_cluster(EntityId flux, const Instance& maker, std::uint32_t cluster);
    bool is_topmost(EntityId kustomization, bool all) const;
    bool is_part_of_component(EntityId kustomization) const;

    // unneeded.cpp
    std::map<EntityId, std::string> unneeded() const; // topmost kustomizations, with the reason

    void add_given(FileId file, std::uint32_t cluster, bool bootstrap);
    std::vector<EntityId> kustomizations_over(FileId file) const;
    std::vector<EntityId> kustomization_beside(FileId file) const;
    void add_tops();
    void add_syncs();
    std::vector<SyncForm> sync_forms(EntityId object);
    std::string cluster_name(const OperatorSync& sync, const SyncFolder& folder) const;
    SyncFolder folder_of(const OperatorSync& sync) const;
    bool comes_through(const Instance& one, EntityId list) const;
    void join_clusters();
    void drain();
    void add_alone();
    void add_configured();
    void go_on(const Waiting& waiting);
    void add_roots(FluxSpec spec, EntityId flux, std::uint32_t maker);
    void add_root(Root root);
    void build(std::uint32_t number);
    void take(std::uint32_t number, const Build& built);
    void add_instance(Instance one);
    void take_gaps(Root& root, const Build& built) const;
    std::vector<std::uint32_t> suppliers_of(const Root& root) const;
    void fill_variables(const Root& root) const; // with what is there by now
    Origin origin_of(const Reference& source, const std::string& ns, EntityId referrer, std::uint32_t cluster) const;
    std::vector<std::string> folders_of(const FluxSpec& spec, const Origin& origin) const;
    std::uint32_t cluster_for(const std::string& name);
    EntityId object_at(Place document) const;

    // fleet_releases.cpp
    struct AskedRelease { // a HelmRelease with what it takes to render it
        std::uint32_t maker = no_number;
        const Value* tree = nullptr;
        ReleaseRow row;
        ChartRequest request;
        std::string key;   // of chart, names and values: what has the same one is rendered once
        std::string doubt; // why nobody can be sure that a cluster gets what is rendered
    };
    void number_releases();
    AskedRelease look_up(std::uint32_t maker) const;
    void ask_for(AskedRelease& asked);
    const ClusterVersions& versions_of(std::uint32_t cluster);
    void find_chart(AskedRelease& asked, const std::string& ns, std::uint32_t cluster) const;
    void take_local_chart(AskedRelease& asked, EntityId chart) const;
    void take_cached_chart(AskedRelease& asked) const;
    const Value* supplier(std::string_view kind, std::string_view name, std::string_view ns,
                          std::uint32_t cluster) const;
    void take_release(AskedRelease& asked, const std::shared_ptr<const RenderedChart>& chart);
    std::uint32_t add_release_root(const AskedRelease& asked, const RenderedChart& chart, bool unknown);

    // fleet_rendered.cpp
    using AddRoot = std::function<std::uint32_t(bool unknown)>;
    struct RenderedParts; // what post-renderers see, and what they do not
    std::uint32_t take_documents(const std::shared_ptr<const RenderedChart>& chart, const PostRendering& after,
                                 Place place, const AddRoot& add_root);
    bool build_part(RenderedParts& parts, const std::vector<std::string>& files, const ExtraLayer& layer,
                    const PostRendering* after);
    std::uint32_t stop_at_limit(Place place, std::string message);
    void take_refused(std::uint32_t root, const RenderedParts& parts, Place place);
    void add_rendered(std::uint32_t root, const Resource& resource);
    EntityId template_at(Place place) const;

    // fleet_charts.cpp
    std::vector<bool> rendered_elsewhere() const;
    void take_chart(EntityId id);
    std::uint32_t add_chart_root(EntityId id, bool unknown);

    const SourceIgnore& ignore_for(EntityId source);
    bool is_kept_back(Root& root, const SourceIgnore& ignore, const std::optional<ExtraLayer>& layer) const;
    const KeptBack* kept_back_for(const Root& root, const SourceIgnore& ignore);
    struct PlainBuild { // of a folder, without a layer
        std::optional<Build> build;
        std::size_t uses = 0;              // Flux Kustomizations that will ask for it; 0: nobody counted, so it is kept
        std::uint32_t planned = no_number; // of those that are built ahead
    };
    struct Planned {
        std::string dir;
        PlainBuild* plain = nullptr;
    };
    PlainBuild& plain_of(const std::string& dir, bool flux);
    const Build& plain_build(const std::string& dir, bool flux);

    // fleet_ahead.cpp
    void find_small_lists();
    void plan(const std::string& dir, EntityId flux); // the Flux Kustomization will ask for the folder
    void build_ahead(std::uint32_t from);

    // False for a folder that certainly brings no Flux Kustomization.
    bool may_bring_flux(const std::string& dir);

    const Fleet::Input& input_;
    const Index& index_;
    Fleet& made_;
    std::optional<OwnSources> own_; // once the syncs are known
    std::vector<std::uint32_t> cluster_of_sync_;
    SourceIgnore ignore_;
    std::map<EntityId, SourceIgnore> ignores_;                         // of sources that have their own
    std::map<const SourceIgnore*, std::optional<KeptBack>> kept_back_; // nothing: they leave out nothing that is listed
    Scopes scopes_;
    std::vector<EntityId> flux_of_object_; // object to Flux Kustomization
    std::vector<EntityId> first_object_;   // by file, and one more
    std::unordered_map<EntityId, EntityId> source_of_object_;
    std::unordered_map<std::uint32_t, ClusterSync> sync_of_cluster_;
    std::vector<EntityId> other_syncs_; // that some root lists, and of which its cluster has another
    std::vector<bool> instanced_;       // objects that some root applies
    std::unordered_map<std::string, std::uint32_t> cluster_by_name_;
    std::unordered_map<std::string, PlainBuild> plain_;
    std::vector<Planned> planned_;  // in the order in which the walk will mostly ask
    std::vector<bool> small_lists_; // kustomizations that may be built ahead; filled when the first is asked for
    std::set<std::string, std::less<>> flux_folders_;             // with a Flux Kustomization in or below them
    std::unordered_map<EntityId, bool> brings_flux_;              // kustomizations that were looked through
    std::unordered_map<std::string, bool> walked_;                // cluster, Flux Kustomization and folder: built once
    std::set<std::pair<std::uint32_t, const TreeStep*>> gone_on_; // cluster and Flux Kustomization, as built
    std::vector<bool> visited_;                                   // kustomizations that some root includes
    std::deque<Waiting> waiting_;
    std::unordered_map<std::string, std::vector<std::uint32_t>> by_name_; // of instances so far
    std::vector<std::uint32_t> releases_;                         // instances that are HelmReleases, not rendered yet
    std::unordered_map<std::uint32_t, ClusterVersions> versions_; // by cluster
    std::vector<EntityId> release_of_object_;                     // when the first release is met
    std::unordered_map<std::string, std::shared_ptr<const RenderedChart>> rendered_; // by AskedRelease::key
};

Loader loader_for(Tree& tree, const Index& index, const ParsedFiles& parsed,
                  std::shared_ptr<const RenderedFiles> rendered);

} // namespace lockstep

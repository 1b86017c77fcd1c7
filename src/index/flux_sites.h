// Every place of a repository that says which Flux runs, read as a Flux release, and which of them belong together.
// flux-version-split, flux-version-unknown and `lockstep pins` look at the same sites.
#pragma once
#include "base/semver.h"
#include "base/table.h"
#include "config/config.h"
#include "index/index.h"
#include <map>

namespace lockstep {

// What is known of Flux releases and of the flux2 chart, from the tables of the config and of the binary.
class FluxReleases {
public:
    FluxReleases(const Table* charts, const Table* releases);
    struct Known {
        std::string flux;
        bool configured = false; // a row of the repository's own config
    };
    const Known* of_chart(std::string_view chart) const;  // which Flux a flux2 chart carries
    std::string chart_for(const Version& flux) const;     // the newest chart that carries it; empty for none
    bool knows(const Version& flux) const;                // as a release
    const std::string& newest() const { return newest_; } // release
    const std::string& newest_chart() const { return newest_chart_; }

private:
    std::map<std::string, Known, std::less<>> by_chart_; // by canonical version
    std::map<std::string, std::string, std::less<>> chart_of_flux_;
    std::map<std::string, bool, std::less<>> releases_;
    std::string newest_, newest_chart_;
};

struct FluxSite {
    // In the order in which the side to change is looked for: a chart first, since bootstrap is the source of truth.
    enum class Kind : std::uint8_t {
        chart_dependency,
        chart_mirror, // catalystBlueprint.upstream of a chart without dependencies
        chart_release,
        chart_install, // `helm install` of the flux2 chart
        instance,      // FluxInstance
        oci_manifests, // OCIRepository of flux-manifests
        kustomize,     // a remote resource
        components,    // gotk-components
        bootstrap,     // install.yaml, `flux install`, `flux bootstrap`
        hint,          // CLI and action pins, workflows
    } kind = Kind::bootstrap;
    enum class Status : std::uint8_t {
        exact,
        range,
        floating,  // there, but not pinned: bootstrap-pin-floating reports it
        unknown,   // a chart version that no table knows
        undecided, // see `why`
    } status = Status::undecided;
    Cell pin;         // as written: a version of Flux, or of the chart
    std::string flux; // exact: the release without `v`; range: the range
    std::string name; // for messages: `flux2 2.13.0`, `cloud-init`
    std::string why;
    std::string subject;
    std::string group; // empty: bootstrap files, local charts and the template tree; else the cluster's folder

    bool is_chart() const { return kind <= Kind::chart_install; }
};

// What flux-version-split collects beside the index; none for what its rule file does not ask for.
struct FluxFacts {
    const Table* charts = nullptr;
    const Table* releases = nullptr;
    const Table* instances = nullptr;
    const Table* instance_charts = nullptr;
    const Table* mirrors = nullptr;
    const Table* actions = nullptr;
    struct Asked {
        Cell version;
        std::string subject;
    };
    std::vector<Asked> from_values = {}; // FluxInstances of a chart whose values are elsewhere
};

// In file order.
std::vector<FluxSite> flux_sites(const Index& index, const Config& config, const FluxFacts& facts,
                                 const FluxReleases& known);

// `flux2 2.13.0 carries Flux 2.3.0`, `cloud-init installs Flux 2.4.0`.
std::string clause(const FluxSite& site);

// What a script on a side path, of a workflow or of a developer's folder installs runs nowhere for long.
bool is_side_script(const Index& index, const BootstrapPin& pin);
bool is_community_registry(std::string_view url); // of the flux2 chart
std::string without_v(std::string_view version);

} // namespace lockstep

// Reads the pins that the index has of nodes and of Flux.
#include "deploy/cluster_versions.h"
#include "base/semver.h"
#include "index/cells.h"
#include "index/side_paths.h"
#include "yaml/data_table.h"
#include <set>

namespace lockstep {
namespace {

using Kind = BootstrapPin::Kind;

bool is_flux(Kind kind) {
    return kind == Kind::flux_manifest || kind == Kind::flux_kustomize_ref || kind == Kind::flux_cli_install ||
           kind == Kind::flux_cli_bootstrap || kind == Kind::flux_components;
}

struct Found {
    std::set<std::string> kubernetes, kind; // of clusters, and of those on one machine
    std::optional<Version> flux;            // the oldest
    bool open = false;                      // k3s whose version is not written out
    bool filled = false; // a machine config whose version another tool fills in, mostly from a pin beside it

    void take(const BootstrapPin& pin) {
        const auto version = is_known(pin.version) ? parse_version(pin.version.text) : std::nullopt;
        const bool nodes = pin.kind == Kind::k3s_version || pin.kind == Kind::node_kubernetes;
        if (pin.kind == Kind::k3s_channel || (pin.kind == Kind::k3s_version && !version)) open = true;
        if (pin.kind == Kind::node_kubernetes && !version) filled = true;
        if (nodes && version) kubernetes.insert(written(*version));
        if (pin.kind == Kind::kind_node && version) kind.insert(written(*version));
        if (is_flux(pin.kind) && version) {
            if (!flux || compare(*version, *flux) < 0) flux = version;
        }
    }
    bool has_nodes() const { return open || filled || !kubernetes.empty(); }
    // A cluster of kind is for trying out: it counts where nothing else is named.
    std::string version() const {
        const auto& all = has_nodes() ? kubernetes : kind;
        return all.size() == 1 && !open ? *all.begin() : std::string();
    }

private:
    static std::string written(const Version& version) {
        return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
               std::to_string(version.patch);
    }
};

HelmVersion helm_in(std::string_view text) {
    HelmVersion helm;
    if (const auto version = parse_version(text))
        helm = {static_cast<unsigned>(version->major), static_cast<unsigned>(version->minor),
                static_cast<unsigned>(version->patch)};
    return helm;
}

// Of the newest release in the table that is not newer: Flux moves to another Helm with its own minor releases.
HelmVersion helm_inside(const Version& flux) {
    static const std::vector<DataRow> rows = data_table("flux-helm");
    std::optional<Version> nearest, newest;
    HelmVersion helm{3, 0, 0}; // of what is older than the table
    for (const DataRow& row : rows) {
        const auto release = row.size() == 2 ? parse_version(row[0]) : std::nullopt;
        if (!release) continue;
        if (compare(*release, flux) <= 0 && (!nearest || compare(*nearest, *release) < 0)) {
            nearest = release;
            helm = helm_in(row[1]);
        }
        if (!newest || compare(*newest, *release) < 0) newest = release;
    }
    if (newest && compare(*newest, flux) < 0 && helm.is_4()) return newest_helm4;
    return helm;
}

} // namespace

ClusterVersions cluster_versions(const Index& index, std::string_view folder, const std::string& configured) {
    Found own, common;
    const std::string below = folder.empty() ? std::string() : std::string(folder) + "/";
    for (const BootstrapPin& pin : index.bootstrap_pins) {
        const FileId file = pin.anchor.file;
        if (pin.from == BootstrapPin::From::workflow || is_side_path(index, file)) continue;
        if (!below.empty() && index.tree->files[file].path.starts_with(below))
            own.take(pin);
        else if (index.file_trees[file].empty())
            common.take(pin);
    }
    ClusterVersions versions;
    const Found& nodes = own.has_nodes() || (!common.has_nodes() && !own.kind.empty()) ? own : common;
    versions.kubernetes = configured.empty() ? nodes.version() : configured;
    versions.flux = own.flux ? own.flux : common.flux;
    if (versions.flux) versions.helm = helm_inside(*versions.flux);
    return versions;
}

} // namespace lockstep

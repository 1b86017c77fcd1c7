// Reads the pins that the index has of k3s and of Flux.
#include "deploy/cluster_versions.h"
#include "base/semver.h"
#include "index/cells.h"
#include "index/side_paths.h"
#include <set>

namespace lockstep {
namespace {

using Kind = BootstrapPin::Kind;

bool is_flux(Kind kind) {
    return kind == Kind::flux_manifest || kind == Kind::flux_kustomize_ref || kind == Kind::flux_cli_install ||
           kind == Kind::flux_cli_bootstrap || kind == Kind::flux_components;
}

struct Found {
    std::set<std::string> kubernetes;
    bool flux_known = false, flux_old = false;
    bool open = false; // a k3s whose version is not written out

    void take(const BootstrapPin& pin) {
        if (pin.kind == Kind::k3s_channel) open = true;
        if (pin.kind != Kind::k3s_version && !is_flux(pin.kind)) return;
        const auto version = is_known(pin.version) ? parse_version(pin.version.text) : std::nullopt;
        if (pin.kind == Kind::k3s_version && version)
            kubernetes.insert(std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
                              std::to_string(version->patch));
        else if (pin.kind == Kind::k3s_version)
            open = true;
        else if (version) {
            flux_known = true;
            flux_old = flux_old || version->major < 2 || (version->major == 2 && version->minor < 8);
        }
    }
};

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
    versions.kubernetes = configured;
    const Found& nodes = own.kubernetes.empty() && !own.open ? common : own;
    if (configured.empty() && nodes.kubernetes.size() == 1 && !nodes.open)
        versions.kubernetes = *nodes.kubernetes.begin();
    const Found& flux = own.flux_known ? own : common;
    versions.helm4 = flux.flux_known && !flux.flux_old;
    return versions;
}

} // namespace lockstep

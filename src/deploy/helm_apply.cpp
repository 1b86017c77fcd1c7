// Reads spec.upgrade.serverSideApply beside the Helm that runs.
#include "deploy/helm_apply.h"
#include "deploy/flux_spec.h"
#include "index/cells.h"

namespace lockstep {

HelmApplies helm_applies(const Value* release, const ClusterVersions& runs) {
    const Cell asked = cell_at(release, {"spec", "upgrade", "serverSideApply"});
    if (asked.state == State::templated) return HelmApplies::unknown;
    if (runs.flux && !runs.helm.is_4()) return HelmApplies::client_side;
    if (asked.text == "enabled") return HelmApplies::server_side; // no Flux before Helm 4 knows the field
    if (asked.text == "disabled") return HelmApplies::client_side;
    return runs.flux ? HelmApplies::as_installed : HelmApplies::unknown;
}

} // namespace lockstep

// Names to native checks.
#include "checks/checks.h"

namespace lockstep {
namespace {

// These rules speak from elsewhere: the filter and the judge report them; here they only have a name.
void reported_elsewhere(const CheckInput&, RuleOutcome&) {}

constexpr NativeCheck table[] = {
    {"bootstrap-chart-split", check_bootstrap_chart_split},
    {"bootstrap-pin-floating", check_bootstrap_pin_floating},
    {"flux-controller-off", check_flux_controller_off},
    {"flux-self-upgrade", check_flux_self_upgrade},
    {"flux-version-split", check_flux_version_split},
    {"flux-version-unknown", check_flux_version_unknown},
    {"yaml-syntax", check_yaml_syntax}, {"duplicate-key", check_duplicate_key},
    {"file-unread", check_file_unread}, {"patch-directive", check_patch_directive},
    {"rbac-verb-missing", check_rbac_verb_missing},
    {"runtime-patch", check_runtime_patch},
    {"observability", check_observability},
    {"script-targets", check_script_targets},
    {"script-tools", check_script_tools},
    {"workflow-paths", check_workflow_paths},
    {"release-pin-drift", check_release_pin_drift},
    {"release-chart-absent", check_release_chart_absent},
    {"umbrella-pins", check_umbrella_pins},
    {"upstream-mirror", check_upstream_mirror},
    {"hollow-chart", check_hollow_chart},
    {"vendored-dependencies", check_vendored_dependencies},
    {"dependency-floating", check_dependency_floating},
    {"denied-version", check_denied_version},
    {"source-host", check_source_host},
    {"registry-split", check_registry_split},
    {"recreate-without-force", check_recreate_without_force},
    {"recreate-with-rolling", check_recreate_with_rolling},
    {"force-on-stateful", check_force_on_stateful},
    {"force-without-effect", check_force_without_effect},
    {"force-on-rolling", check_force_on_rolling},
    {"blast-radius", check_blast_radius},
    {"missing-resource", check_missing_resource},
    {"unwired-manifest", check_unwired_manifest},
    {"metadata-strings", check_metadata_strings},
    {"guard-idle", reported_elsewhere}, {"suppression", reported_elsewhere},
};

} // namespace

std::span<const NativeCheck> native_checks() {
    return table;
}

} // namespace lockstep

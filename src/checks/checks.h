// The table of native checks: what a join cannot say. One file each; adding one is a line here and a line in
// checks.cpp.
#pragma once
#include "rules/check.h"

namespace lockstep {

std::span<const NativeCheck> native_checks();

void check_yaml_syntax(const CheckInput& input, RuleOutcome& outcome);
void check_duplicate_key(const CheckInput& input, RuleOutcome& outcome);
void check_file_unread(const CheckInput& input, RuleOutcome& outcome);
void check_bootstrap_chart_split(const CheckInput& input, RuleOutcome& outcome);
void check_bootstrap_pin_floating(const CheckInput& input, RuleOutcome& outcome);
void check_flux_controller_off(const CheckInput& input, RuleOutcome& outcome);
void check_flux_self_upgrade(const CheckInput& input, RuleOutcome& outcome);
void check_flux_version_split(const CheckInput& input, RuleOutcome& outcome);
void check_flux_version_unknown(const CheckInput& input, RuleOutcome& outcome);
void check_patch_directive(const CheckInput& input, RuleOutcome& outcome);
void check_recreate_without_force(const CheckInput& input, RuleOutcome& outcome);
void check_recreate_with_rolling(const CheckInput& input, RuleOutcome& outcome);
void check_force_on_stateful(const CheckInput& input, RuleOutcome& outcome);
void check_force_without_effect(const CheckInput& input, RuleOutcome& outcome);
void check_force_on_rolling(const CheckInput& input, RuleOutcome& outcome);
void check_blast_radius(const CheckInput& input, RuleOutcome& outcome);
void check_missing_resource(const CheckInput& input, RuleOutcome& outcome);
void check_unwired_manifest(const CheckInput& input, RuleOutcome& outcome);
void check_metadata_strings(const CheckInput& input, RuleOutcome& outcome);
void check_release_pin_drift(const CheckInput& input, RuleOutcome& outcome);
void check_release_chart_absent(const CheckInput& input, RuleOutcome& outcome);
void check_umbrella_pins(const CheckInput& input, RuleOutcome& outcome);
void check_upstream_mirror(const CheckInput& input, RuleOutcome& outcome);
void check_hollow_chart(const CheckInput& input, RuleOutcome& outcome);
void check_vendored_dependencies(const CheckInput& input, RuleOutcome& outcome);
void check_dependency_floating(const CheckInput& input, RuleOutcome& outcome);
void check_denied_version(const CheckInput& input, RuleOutcome& outcome);
void check_source_host(const CheckInput& input, RuleOutcome& outcome);
void check_registry_split(const CheckInput& input, RuleOutcome& outcome);
void check_rbac_verb_missing(const CheckInput& input, RuleOutcome& outcome);
void check_runtime_patch(const CheckInput& input, RuleOutcome& outcome);
void check_observability(const CheckInput& input, RuleOutcome& outcome);
void check_script_targets(const CheckInput& input, RuleOutcome& outcome);
void check_script_tools(const CheckInput& input, RuleOutcome& outcome);
void check_workflow_paths(const CheckInput& input, RuleOutcome& outcome);

} // namespace lockstep

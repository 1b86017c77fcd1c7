// What bootstrap installs without saying which version: every new machine gets whatever is current on that day.
#include "checks/checks.h"
#include "checks/flux_sites.h"
#include <unordered_set>

namespace lockstep {
namespace {

using Kind = BootstrapPin::Kind;

std::string what_of(const BootstrapPin& pin) {
    switch (pin.kind) {
    case Kind::flux_manifest:
        return "Flux's install.yaml";
    case Kind::flux_kustomize_ref:
        return "the kustomization of Flux";
    case Kind::flux_cli_install:
        return "`flux install`";
    case Kind::flux_cli_bootstrap:
        return "`flux bootstrap`";
    case Kind::helm_install:
        return "chart " + (pin.chart.state == State::absent ? std::string("?") : pin.chart.text);
    case Kind::k3s_version:
    case Kind::k3s_channel:
        return "k3s";
    case Kind::helm_script:
        return "the helm command";
    default:
        return "the flux command";
    }
}

// A tool on the machine, not what runs in the cluster.
bool is_tool(const BootstrapPin& pin) {
    return pin.kind == Kind::helm_script || pin.kind == Kind::flux_cli_pin;
}

bool is_flux_command(const BootstrapPin& pin) {
    return pin.kind == Kind::flux_cli_install || pin.kind == Kind::flux_cli_bootstrap;
}

std::string message_for(const BootstrapPin& pin) {
    const std::string& word = pin.version.text;
    if (pin.kind == Kind::k3s_channel)
        return word.empty() ? "k3s is installed without a version: the newest stable one on the day of the boot"
                            : "k3s follows the channel `" + word + "` instead of a version";
    if (!word.empty()) return what_of(pin) + " follows `" + word + "` instead of a version";
    if (is_flux_command(pin))
        return what_of(pin) + " has no --version: it installs what the flux command on that machine carries";
    if (pin.kind == Kind::helm_install) return what_of(pin) + " is installed without --version: the newest one";
    return what_of(pin) + " has no version: the newest one";
}

// A chart by its folder: one that is in the tree, a name without a repository in front, or a path that a variable
// begins. Only what is pulled from a repository can float.
bool may_be_local(const BootstrapPin& pin, const Tree& tree, std::string_view script) {
    if (pin.repository.state != State::absent) return false;
    const std::string& chart = pin.chart.text;
    if (chart.starts_with("oci://") || chart.find("://") != std::string::npos) return false;
    if (chart.find('/') == std::string::npos || chart.find('$') != std::string::npos) return true;
    const auto near = join_path(directory_of(script), chart);
    return tree.has_directory(chart) || (near && tree.has_directory(*near));
}

// Where the generated manifests of Flux are committed, its command leaves a trace in Git: a person sees what came.
Severity severity_of(const BootstrapPin& pin, Severity own, bool aside, bool committed) {
    if (aside || is_tool(pin)) return Severity::note;
    const bool traced = committed && pin.from == BootstrapPin::From::script && is_flux_command(pin);
    return traced && pin.version.text.empty() ? std::min(own, Severity::warning) : own;
}

} // namespace

void check_bootstrap_pin_floating(const CheckInput& input, RuleOutcome& outcome) {
    const Index& index = input.repository.index;
    std::unordered_set<FileId> pinned_tool; // `flux install` takes the version of the pinned command
    bool committed = false;                 // gotk-components stand in the tree
    for (const BootstrapPin& pin : index.bootstrap_pins) {
        if (pin.kind == Kind::flux_cli_pin && pin.version.state != State::absent) pinned_tool.insert(pin.anchor.file);
        committed = committed || pin.kind == Kind::flux_components;
    }
    for (const BootstrapPin& pin : index.bootstrap_pins) {
        const std::string& path = input.repository.tree->files[pin.anchor.file].path;
        const std::string subject = path + ":" + std::string(to_string(pin.kind)) +
                                    (pin.chart.state == State::absent ? "" : "/" + pin.chart.text);
        if (pin.from == BootstrapPin::From::workflow) continue; // a cluster for one test run
        if (pin.kind == Kind::flux_components) continue;        // written by Flux, not installed by anybody
        if (pin.kind == Kind::helm_install && may_be_local(pin, *input.repository.tree, path)) {
            outcome.undecided(pin.anchor, subject, "a chart by its folder: it has the version of the tree");
        } else if (pin.version.state == State::templated) {
            outcome.undecided(pin.anchor, subject, "templated");
        } else if (pin.version.state == State::known ||
                   (is_flux_command(pin) && pin.version.text.empty() && pinned_tool.count(pin.anchor.file) != 0)) {
            outcome.pass(pin.anchor, subject);
        } else {
            Finding finding;
            finding.rule = outcome.rule->id;
            finding.severity = severity_of(pin, outcome.rule->severity, is_side_script(pin, path), committed);
            finding.message = message_for(pin);
            finding.place = pin.version.place.file == no_file ? pin.anchor : pin.version.place;
            outcome.fail(subject, std::move(finding));
        }
    }
}

} // namespace lockstep

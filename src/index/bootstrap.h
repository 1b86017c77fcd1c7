// What a cluster is bootstrapped with: versions that cloud-init, Terraform templates and scripts install, read from
// commands. A comment is never a pin; the header of a generated gotk-components file is the one exception.
#pragma once
#include "base/table.h"
#include "index/shell.h"
#include "index/view.h"

namespace lockstep {

struct BootstrapPin {
    enum class Kind : std::uint8_t {
        flux_manifest,      // install.yaml of a Flux release, by URL
        flux_kustomize_ref, // github.com/fluxcd/flux2/manifests/install?ref=
        flux_cli_install,   // `flux install`
        flux_cli_bootstrap, // `flux bootstrap`
        helm_install,       // `helm install`, `helm upgrade --install`
        k3s_version,        // INSTALL_K3S_VERSION, or INSTALL_K3S_COMMIT
        k3s_channel,        // get.k3s.io with a channel, or with nothing
        helm_script,        // get-helm-3; DESIRED_VERSION
        flux_cli_pin,       // fluxcd.io/install.sh with FLUX_VERSION, or the archive of a release
        flux_components,    // the header of a generated gotk-components file
        node_kubernetes,    // of a machine config of Talos, kubeadm, Cluster API
        kind_node,          // the image of a node of kind
    } kind = Kind::flux_manifest;
    Cell version;    // absent: not pinned; the text is then the floating word, if one is written (`latest`, `main`, a
                     // channel)
    Cell name;       // helm_install: the release
    Cell chart;      // helm_install: without its alias when that was resolved, else as written (it may be a folder)
    Cell repository; // helm_install: URL of --repo, of the alias, or of an oci:// reference without the chart
    Cell components; // flux_cli_install, flux_cli_bootstrap: --components
    Place anchor;    // the command, or the URL
    enum class From : std::uint8_t {
        script,
        cloud_init,
        kustomization,
        components,
        workflow,
        machines, // fields of node_pins.h
    } from = From::script;
};

std::string_view to_string(BootstrapPin::Kind kind);

// `commands` are one script of `text`, variables resolved. Charts from local folders and archives are no pins.
std::vector<BootstrapPin> bootstrap_pins(FileId file, std::string_view text, const std::vector<ShellCommand>& commands);
std::vector<BootstrapPin> script_pins(FileId file, std::string_view text); // a whole shell file
// A cloud-init file or .tftpl; one that starts with `#!` is read as a script.
std::vector<BootstrapPin> cloud_init_pins(FileId file, const YamlText& yaml);

// The scripts of a cloud-init document: bootcmd, runcmd (all entries of a list are one script), and each shell script
// of write_files.
std::vector<std::vector<ShellCommand>> cloud_init_scripts(const YamlText& yaml);

// A Flux install manifest as a remote resource: the URL in a kustomization, or in any word.
std::optional<BootstrapPin> flux_url_pin(FileId file, const ShellWord& url);
// `# Flux Version: v2.4.0` at the start of a line; absent when the text has no such line.
Cell flux_version_header(FileId file, std::string_view text);

// Every pin of a parsed file: cloud-init, a kustomization's remote resources, gotk-components, steps of a workflow.
std::vector<BootstrapPin> file_pins(const FileView& view, const YamlText& yaml);

} // namespace lockstep

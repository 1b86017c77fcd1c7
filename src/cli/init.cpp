// `lockstep init`: a commented config fitted to what the tree holds.
#include "cli/commands.h"
#include "cli/files.h"
#include "deploy/fleet.h"
#include <filesystem>
#include <set>

namespace lockstep {
namespace {

std::string list_of(const std::set<std::string>& items) {
    std::string out;
    for (const auto& item : items)
        out += (out.empty() ? "" : ", ") + ("\"" + item + "\"");
    return "[" + out + "]";
}

std::string config_for(const LintRun& run) {
    const Index& index = run.read.repository.index;
    std::set<std::string> trees, generated, applied;
    for (const auto& object : index.objects)
        if (!tree_of(index, object).empty() && tree_of(index, object) != run.config.template_tree)
            trees.insert(tree_of(index, object));
    for (const auto& outcome : run.outcomes)
        if (outcome.applied() && outcome.rule->declarative()) applied.insert(outcome.rule->id);
    const bool has_template = run.tree.has_directory(run.config.template_tree);
    const std::set<std::string> registries(index.own_registry_keys.begin(), index.own_registry_keys.end());

    std::string out = "# What lockstep should know about this repository. Every key is optional; these are its words:\n"
                      "# severity, paths, exclude, packs, must-apply, own-registries, external, generated, applied, "
                      "repository, trees, tables, pins, limits.\n\n";
    out += "# Rules that must find something to check here: if a rename takes their files out of sight, that is an "
           "error.\n";
    out += applied.empty() ? "# must-apply: [rule-id]\n\n" : "must-apply: " + list_of(applied) + "\n\n";
    out += "# Another severity for a rule: error, warning, note or off.\n# severity:\n#   rule-id: warning\n\n";
    out += "# Another severity in some folders.\n# paths:\n#   - files: \"legacy/**\"\n#     severity: { rule-id: off "
           "}\n\n";
    out += "# Files that are not part of what Flux applies. What git ignores is left out anyway.\n# exclude: "
           "[\"vendor/**\"]\n\n";
    std::set<std::string> alone;
    for (const Root& root : fleet_of(run.read.repository).roots)
        if (root.by == Root::By::alone && root.certainty == Certainty::proven && !root.dir.empty())
            alone.insert(root.dir);
    out +=
        "# Folders that something outside of this repository applies. `lockstep why FILE` tells what applies a file.\n";
    out += alone.empty() ? "# applied: [\"platform/base\"]\n\n" : "applied: " + list_of(alone) + "\n\n";
    out += "# Cluster trees: pins in the template tree are current, live trees may lag behind.\n";
    if (trees.empty() && !has_template)
        out += "# trees: { template: clusters/_template, live: [\"clusters/*\"] }\n\n";
    else
        out += "trees: { template: " + run.config.template_tree +
               ", live: " + list_of({run.config.live_trees.begin(), run.config.live_trees.end()}) + " }\n\n";
    out += "# Registries that this repository publishes its charts to.\n";
    out += registries.empty() ? "# own-registries: [\"oci://ghcr.io/acme/charts\"]\n\n"
                              : "own-registries: " + list_of(registries) + "\n\n";
    out += "# Objects that exist without standing in this repository: Kind/namespace/name.\n# external: "
           "[\"Secret/flux-system/sops-age\"]\n\n";
    out += "# Pins that move together, without writing a rule.\n# pins:\n#   k3s:\n#     canonical: cloud-init\n#     "
           "sites:\n"
           "#       cloud-init: { files: \"infra/**/*.tftpl\", text: 'INSTALL_K3S_VERSION=(?P<value>\\S+)' }\n"
           "#       ci: { files: \".github/workflows/*.yaml\", text: 'K3S_VERSION: (?P<value>\\S+)' }\n";
    return out;
}

} // namespace

Result<Printed> run_init(const Options& options) {
    const std::string path = options.path + "/" + std::string(config_name);
    if (std::filesystem::exists(path) && !options.force)
        return Error{"the file is there already", path, {0, 0}, "--force overwrites it"};
    LintRequest request = request_of(options);
    auto run = lint(request);
    if (!run) return run.error();
    if (auto error = write_file(path, config_for(**run), options.path)) return *error;
    return Printed{0, PlainText::lines("wrote " + path + "\n")};
}

} // namespace lockstep

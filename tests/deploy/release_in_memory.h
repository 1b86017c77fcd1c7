// A tree in memory with one release of a chart of this repository, for several tests.
#pragma once
#include "fleet_in_memory.h"

namespace lockstep {

using MoreFiles = std::vector<std::pair<std::string, std::string>>;

inline const std::string sync_text =
    "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n"
    "metadata: { name: flux-system, namespace: flux-system }\n"
    "spec: { url: \"https://git.example.org/team/fleet\", ref: { branch: main } }\n---\n"
    "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
    "metadata: { name: flux-system, namespace: flux-system }\n"
    "spec: { path: ./clusters/prod, prune: true, sourceRef: { kind: GitRepository, name: flux-system } }\n";

inline std::string release(const std::string& more) {
    return "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
           "metadata: { name: web, namespace: shop }\nspec:\n"
           "  chart: { spec: { chart: ./charts/web, sourceRef: { kind: GitRepository, name: flux-system, namespace: "
           "flux-system } } }\n" +
           more;
}

inline const std::string chart_text = "apiVersion: v2\nname: web\nversion: 1.0.0\n";
inline const std::string deployment = "apiVersion: apps/v1\n"
                                      "kind: Deployment\n"
                                      "metadata:\n"
                                      "  name: {{ .Release.Name }}\n"
                                      "spec:\n"
                                      "  replicas: {{ .Values.replicas }}\n"
                                      "  strategy: { type: {{ .Values.strategy | default \"Recreate\" }} }\n";

inline BuiltFleet fleet_with(const std::string& release_text, const std::string& values, MoreFiles more = {},
                             const std::string& flux = {}) {
    MoreFiles files{{"charts/web/Chart.yaml", chart_text},
                    {"charts/web/templates/deployment.yaml", deployment},
                    {"charts/web/values.yaml", values},
                    {"clusters/prod/flux-system/gotk-sync.yaml", sync_text},
                    {"clusters/prod/web.yaml", release_text}};
    for (const auto& file : more) {
        std::erase_if(files, [&](const auto& one) { return one.first == file.first; });
        files.push_back(file);
    }
    std::sort(files.begin(), files.end());
    Tree tree;
    for (const auto& [path, text] : files) {
        File file{path, text};
        file.state = FileState::read;
        file.indexed = true;
        tree.files.push_back(std::move(file));
    }
    Built built = build_tree(std::move(tree));
    if (!flux.empty()) { // as the header of gotk-components.yaml pins it
        BootstrapPin pin;
        pin.kind = BootstrapPin::Kind::flux_components;
        pin.from = BootstrapPin::From::components;
        pin.anchor = {*built.tree->find("clusters/prod/flux-system/gotk-sync.yaml"), {}};
        pin.version = {State::known, flux, pin.anchor};
        built.index.bootstrap_pins.push_back(pin);
    }
    return fleet_for(std::move(built));
}

// `path:line` of a place.
inline std::string at(const BuiltFleet& made, Place place) {
    if (place.file == no_file) return "nowhere";
    const File& file = made.built.tree->files[place.file];
    return file.path + ":" + std::to_string(LineTable(file.text).position(place.span.begin).line);
}

inline const Value* value(const BuiltFleet& made, std::string_view kind, std::initializer_list<std::string_view> keys) {
    for (const Instance& one : made.fleet->instances)
        if (one.id().kind == kind) return value_at(made.fleet->tree_of(one), keys);
    return nullptr;
}

} // namespace lockstep

// Flux's own objects and Catalyst's blueprints, decided by group and kind alone.
#include "index/readers.h"

namespace lockstep {

namespace {

Reference source_at(FileId file, NodeRef root, Keys keys) {
    return reference_of(file, node_at(root, keys));
}

HelmRelease read_release(FileId file, NodeRef root, EntityId object) {
    HelmRelease release;
    release.object = object;
    NodeRef spec = node_at(root, {"spec"});
    release.chart = cell_at(file, root, {"spec", "chart", "spec", "chart"});
    release.version = cell_at(file, root, {"spec", "chart", "spec", "version"});
    release.source = source_at(file, root, {"spec", "chart", "spec", "sourceRef"});
    release.chart_ref = source_at(file, root, {"spec", "chartRef"});
    release.release_name = cell_at(file, root, {"spec", "releaseName"});
    release.target_namespace = cell_at(file, root, {"spec", "targetNamespace"});
    release.storage_namespace = cell_at(file, root, {"spec", "storageNamespace"});
    release.suspend = cell_at(file, root, {"spec", "suspend"});
    release.depends_on = references_at(file, root, {"spec", "dependsOn"});
    release.values_from = references_at(file, root, {"spec", "valuesFrom"});
    release.spec = key_place(file, root, {"spec"});
    release.values = key_place(file, root, {"spec", "values"});
    release.install = value_place(file, root, {"spec", "install"});
    release.upgrade = value_place(file, root, {"spec", "upgrade"});
    for (Pair& pair : pairs_at(file, root, {"spec", "values"}))
        release.value_keys.push_back(std::move(pair.key));
    for (NodeRef renderer : items_at(root, {"spec", "postRenderers"}))
        read_patches(release.post_render_patches, file, node_at(renderer, {"kustomize"}));
    release.partial = !spec.get_key("chart") && !spec.get_key("chartRef");
    return release;
}

Source read_source(FileId file, NodeRef root, EntityId object, std::string_view kind) {
    Source source;
    source.object = object;
    source.kind = std::string(kind);
    source.name = cell_at(file, root, {"metadata", "name"});
    source.ns = cell_at(file, root, {"metadata", "namespace"});
    source.url = cell_at(file, root, {"spec", kind == "Bucket" ? "endpoint" : "url"});
    source.type = cell_at(file, root, {"spec", "type"});
    source.tag = cell_at(file, root, {"spec", "ref", "tag"});
    source.semver = cell_at(file, root, {"spec", "ref", "semver"});
    source.branch = cell_at(file, root, {"spec", "ref", "branch"});
    source.commit = cell_at(file, root, {"spec", "ref", "commit"});
    source.digest = cell_at(file, root, {"spec", "ref", "digest"});
    source.ref_name = cell_at(file, root, {"spec", "ref", "name"});
    source.secret = cell_at(file, root, {"spec", "secretRef", "name"});
    source.suspend = cell_at(file, root, {"spec", "suspend"});
    source.chart = cell_at(file, root, {"spec", "chart"});
    source.version = cell_at(file, root, {"spec", "version"});
    source.source = source_at(file, root, {"spec", "sourceRef"});
    return source;
}

// Each artifact of a generator becomes an ExternalArtifact of that name in the cluster.
void read_generator(std::vector<Source>& sources, FileId file, NodeRef root, EntityId object) {
    std::vector<Reference> inputs;
    for (NodeRef item : items_at(root, {"spec", "sources"})) {
        Reference input = reference_of(file, item);
        input.api_version = cell_at(file, item, {"alias"});
        inputs.push_back(std::move(input));
    }
    for (NodeRef item : items_at(root, {"spec", "artifacts"})) {
        Source source;
        source.object = object;
        source.kind = "ExternalArtifact";
        source.generated = true;
        source.name = cell_at(file, item, {"name"});
        source.ns = cell_at(file, root, {"metadata", "namespace"});
        source.inputs = inputs;
        for (NodeRef copy : items_at(item, {"copy"}))
            source.copies.push_back({cell_at(file, copy, {"from"}), cell_at(file, copy, {"to"})});
        sources.push_back(std::move(source));
    }
}

FluxKustomization read_flux_kustomization(FileId file, NodeRef root, EntityId object) {
    FluxKustomization made;
    made.object = object;
    made.path = cell_at(file, root, {"spec", "path"});
    made.target_namespace = cell_at(file, root, {"spec", "targetNamespace"});
    made.name_prefix = cell_at(file, root, {"spec", "namePrefix"});
    made.name_suffix = cell_at(file, root, {"spec", "nameSuffix"});
    made.prune = cell_at(file, root, {"spec", "prune"});
    made.force = cell_at(file, root, {"spec", "force"});
    made.wait = cell_at(file, root, {"spec", "wait"});
    made.suspend = cell_at(file, root, {"spec", "suspend"});
    made.source = source_at(file, root, {"spec", "sourceRef"});
    made.depends_on = references_at(file, root, {"spec", "dependsOn"});
    made.health_checks = references_at(file, root, {"spec", "healthChecks"});
    made.substitute_from = references_at(file, root, {"spec", "postBuild", "substituteFrom"});
    made.substitute = pairs_at(file, root, {"spec", "postBuild", "substitute"});
    made.common_annotations = pairs_at(file, root, {"spec", "commonMetadata", "annotations"});
    made.common_labels = pairs_at(file, root, {"spec", "commonMetadata", "labels"});
    made.components = cells_at(file, root, {"spec", "components"});
    made.spec = key_place(file, root, {"spec"});
    made.post_build = key_place(file, root, {"spec", "postBuild"});
    made.kube_config = key_place(file, root, {"spec", "kubeConfig"});
    read_patches(made.patches, file, node_at(root, {"spec"}));
    return made;
}

Blueprint read_blueprint(FileId file, NodeRef root, EntityId object) {
    Blueprint blueprint;
    blueprint.object = object;
    blueprint.version = cell_at(file, root, {"spec", "version"});
    blueprint.chart = cell_at(file, root, {"spec", "manifests", "chart"});
    for (NodeRef item : items_at(root, {"spec", "depends"})) {
        if (item.is_scalar() && !item.is_null()) blueprint.depends.push_back(cell_of(file, item));
        if (!item.is_mapping()) continue;
        Cell named = cell_at(file, item, {"blueprint"});
        blueprint.depends.push_back(is_set(named) ? std::move(named) : cell_at(file, item, {"name"}));
    }
    return blueprint;
}

bool is_source_kind(std::string_view kind) {
    return kind == "HelmRepository" || kind == "OCIRepository" || kind == "GitRepository" || kind == "Bucket" ||
           kind == "ExternalArtifact" || kind == "HelmChart";
}

} // namespace

void read_typed(FileIndex& index, FileId file, const DocumentView& document, EntityId id) {
    Object& object = index.objects[id];
    if (!is_known(object.kind)) return;
    const std::string& kind = object.kind.text;
    NodeRef root = document.root;
    if (object.group == "helm.toolkit.fluxcd.io" && kind == "HelmRelease") {
        index.releases.push_back(read_release(file, root, id));
        object.partial = object.partial || index.releases.back().partial;
    } else if (object.group == "source.toolkit.fluxcd.io" && is_source_kind(kind)) {
        index.sources.push_back(read_source(file, root, id, kind));
    } else if (object.group == "source.extensions.fluxcd.io" && kind == "ArtifactGenerator") {
        read_generator(index.sources, file, root, id);
    } else if (object.group == "kustomize.toolkit.fluxcd.io" && kind == "Kustomization") {
        index.flux_kustomizations.push_back(read_flux_kustomization(file, root, id));
    } else if (object.group == "catalyst.openova.io" && kind == "Blueprint") {
        index.blueprints.push_back(read_blueprint(file, root, id));
    }
}

} // namespace lockstep

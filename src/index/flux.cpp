// Flux's own objects, Catalyst's blueprints and the kinds that CRDs add, decided by group and kind alone.
#include "index/readers.h"

namespace lockstep {

namespace {

Reference source_at(FileId file, NodeRef root, Keys keys) {
    return reference_of(file, node_at(root, keys));
}

HelmRelease read_release(FileId file, NodeRef root, EntityId object) {
    HelmRelease release;
    CellReader take{file, root};
    release.object = object;
    NodeRef spec = node_at(root, {"spec"});
    take(release.chart, {"spec", "chart", "spec", "chart"});
    take(release.version, {"spec", "chart", "spec", "version"});
    release.source = source_at(file, root, {"spec", "chart", "spec", "sourceRef"});
    release.chart_ref = source_at(file, root, {"spec", "chartRef"});
    take(release.release_name, {"spec", "releaseName"});
    take(release.target_namespace, {"spec", "targetNamespace"});
    take(release.storage_namespace, {"spec", "storageNamespace"});
    take(release.suspend, {"spec", "suspend"});
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
    NodeRef chart = node_at(spec, {"chart", "spec"});
    release.partial = !spec.get_key("chartRef") && !(chart.get_key("chart") && chart.get_key("sourceRef"));
    return release;
}

Source read_source(FileId file, NodeRef root, EntityId object, std::string_view kind) {
    Source source;
    CellReader take{file, root};
    source.object = object;
    source.kind = std::string(kind);
    take(source.name, {"metadata", "name"});
    take(source.ns, {"metadata", "namespace"});
    take(source.url, {"spec", kind == "Bucket" ? "endpoint" : "url"});
    take(source.type, {"spec", "type"});
    take(source.tag, {"spec", "ref", "tag"});
    take(source.semver, {"spec", "ref", "semver"});
    take(source.branch, {"spec", "ref", "branch"});
    take(source.commit, {"spec", "ref", "commit"});
    take(source.digest, {"spec", "ref", "digest"});
    take(source.ref_name, {"spec", "ref", "name"});
    take(source.secret, {"spec", "secretRef", "name"});
    take(source.suspend, {"spec", "suspend"});
    take(source.chart, {"spec", "chart"});
    take(source.version, {"spec", "version"});
    source.source = source_at(file, root, {"spec", "sourceRef"});
    return source;
}

// Each artifact of a generator becomes an ExternalArtifact of that name in the cluster.
void read_generator(std::vector<Source>& sources, FileId file, NodeRef root, EntityId object) {
    std::vector<Reference> inputs;
    for (NodeRef item : items_at(root, {"spec", "sources"})) {
        Reference input = reference_of(file, item);
        CellReader{file, item}(input.api_version, {"alias"});
        inputs.push_back(std::move(input));
    }
    for (NodeRef item : items_at(root, {"spec", "artifacts"})) {
        Source source;
        source.object = object;
        source.kind = "ExternalArtifact";
        source.generated = true;
        CellReader{file, item}(source.name, {"name"});
        CellReader{file, root}(source.ns, {"metadata", "namespace"});
        source.inputs = inputs;
        for (NodeRef copy : items_at(item, {"copy"}))
            source.copies.push_back({cell_at(file, copy, {"from"}), cell_at(file, copy, {"to"})});
        sources.push_back(std::move(source));
    }
}

FluxKustomization read_flux_kustomization(FileId file, NodeRef root, EntityId object) {
    FluxKustomization made;
    CellReader take{file, root};
    made.object = object;
    take(made.path, {"spec", "path"});
    take(made.target_namespace, {"spec", "targetNamespace"});
    take(made.name_prefix, {"spec", "namePrefix"});
    take(made.name_suffix, {"spec", "nameSuffix"});
    take(made.prune, {"spec", "prune"});
    take(made.force, {"spec", "force"});
    take(made.wait, {"spec", "wait"});
    take(made.suspend, {"spec", "suspend"});
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
    CellReader take{file, root};
    blueprint.object = object;
    take(blueprint.version, {"spec", "version"});
    take(blueprint.chart, {"spec", "manifests", "chart"});
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
    } else if (object.group == "apiextensions.k8s.io" && kind == "CustomResourceDefinition") {
        index.custom_kinds.push_back({id, std::string(node_at(root, {"spec", "group"}).text()),
                                      std::string(node_at(root, {"spec", "names", "kind"}).text()),
                                      node_at(root, {"spec", "scope"}).text() == "Cluster"});
    }
}

} // namespace lockstep

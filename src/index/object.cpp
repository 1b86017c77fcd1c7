// Any Kubernetes object: its identity, where it is, and the force marks that Flux reads.
#include "index/readers.h"

namespace lockstep {

namespace {

constexpr std::string_view force_key = "kustomize.toolkit.fluxcd.io/force";

bool is_sops(NodeRef root) {
    NodeRef sops = root.get("sops").resolved();
    return sops.is_mapping() && (sops.get_key("mac") || sops.get_key("lastmodified"));
}

bool is_partial(NodeRef root, const Object& object) {
    if (root.get_key("$patch")) return true;
    if (object.group == "kustomize.config.k8s.io") return false; // kustomize asks for no name
    return !is_set(object.name) && !object.generate_name;
}

// `config.kubernetes.io/local-config` and its kin.
bool has_build_marks(NodeRef root) {
    const NodeRef annotations = node_at(root, {"metadata", "annotations"});
    if (!annotations.is_mapping()) return false;
    for (const NodeRef::Entry& entry : annotations.entries()) {
        const std::string_view key = entry.key.text();
        if (key.find("config.kubernetes.io/") != std::string_view::npos || key.starts_with("kustomize.config.k8s.io/"))
            return true;
    }
    return false;
}

} // namespace

Object read_object(const FileView& view, std::uint32_t number, const Layout& layout) {
    const DocumentView& document = view.documents[number];
    NodeRef root = document.root;
    CellReader take{view.file, root};
    Object object;
    object.file = view.file;
    object.ordinal = number;
    object.document = document.span;
    take(object.api_version, {"apiVersion"});
    take(object.kind, {"kind"});
    if (is_known(object.api_version)) {
        GroupVersion parts = split_api_version(object.api_version.text);
        object.group = std::string(parts.group);
    }
    take(object.name, {"metadata", "name"});
    take(object.ns, {"metadata", "namespace"});
    Cell generated;
    take(generated, {"metadata", "generateName"});
    if (is_set(generated)) object.generate_name = std::make_shared<const Cell>(std::move(generated));
    for (const std::string_view map : {"annotations", "labels"}) {
        Cell mark;
        take(mark, {"metadata", map, force_key});
        if (is_set(mark)) object.forces.push_back(std::move(mark));
    }
    if (std::optional<ChartPlace> chart = layout.chart_of(view.path)) {
        object.in_chart = true;
        object.chart = std::string(chart->dir);
        object.in_templates = chart->in_templates;
    }
    object.outer = document.outer;
    object.embedded = document.embedded;
    object.bootstrap = document.bootstrap;
    object.list_item = document.list_item;
    object.sops = is_sops(root);
    object.partial = is_partial(root, object);
    object.build_marks = has_build_marks(root);
    return object;
}

} // namespace lockstep

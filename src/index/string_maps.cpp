// Maps whose values Kubernetes declares as strings (annotations, labels, ConfigMap data), looked through while the
// nodes are there: only values that are something else are kept.
#include "index/readers.h"
#include "yaml/plain_type.h"

namespace lockstep {
namespace {

using Type = LooseValue::Type;

std::optional<Type> type_of(NodeRef value) {
    if (value.is_mapping()) return Type::mapping;
    if (value.is_sequence()) return Type::list;
    if (!value.is_scalar() || value.node().style != NodeStyle::plain || value.node().tag != 0) return std::nullopt;
    switch (plain_type(value.text())) {
    case PlainType::boolean:
        return Type::boolean;
    case PlainType::number:
        return Type::number;
    case PlainType::text:
        break;
    }
    return std::nullopt;
}

void read_map(FileIndex& index, FileId file, NodeRef map, LooseValue::Map kind, EntityId object) {
    if (!map.is_mapping()) return;
    index.objects[object].string_maps = true;
    const YamlText& yaml = map.yaml();
    for (NodeId id = map.id() + 1; id < map.node().after;) {
        const NodeRef key(&yaml, id), written(&yaml, key.node().after), value = written.resolved();
        id = written.node().after;
        if (value.templated()) {
            index.objects[object].templated_strings = true;
            continue;
        }
        const auto type = type_of(value);
        if (!type || key.text() == "<<") continue;
        LooseValue loose;
        loose.object = object;
        loose.map = kind;
        loose.type = *type;
        loose.key = key.text();
        const bool collection = *type == Type::mapping || *type == Type::list;
        loose.place = place_of(file, collection ? key : value);
        loose.text = value.text();
        index.loose_values.push_back(std::move(loose));
    }
}

bool has_pods(std::string_view kind) {
    for (std::string_view known : {"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job"})
        if (kind == known) return true;
    return false;
}

} // namespace

void read_string_maps(FileIndex& index, FileId file, const DocumentView& document, EntityId object) {
    using Map = LooseValue::Map;
    const NodeRef root = document.root, metadata = root.get("metadata");
    read_map(index, file, metadata.get("annotations"), Map::annotations, object);
    read_map(index, file, metadata.get("labels"), Map::labels, object);
    const std::string kind = index.objects[object].kind.text;
    if (has_pods(kind)) {
        const NodeRef pods = node_at(root, {"spec", "template", "metadata"});
        read_map(index, file, pods.get("annotations"), Map::pod_annotations, object);
        read_map(index, file, pods.get("labels"), Map::pod_labels, object);
    }
    if (!index.objects[object].group.empty() || index.objects[object].version() != "v1") return;
    if (kind == "ConfigMap") read_map(index, file, root.get("data"), Map::config_map, object);
    if (kind == "Secret") read_map(index, file, root.get("stringData"), Map::secret, object);
}

} // namespace lockstep

// The Kubernetes that machine configs, kubeadm, Cluster API and kind name for their nodes: plain fields of YAML files.
#include "index/node_pins.h"
#include "index/cells.h"

namespace lockstep {
namespace {

using Kind = BootstrapPin::Kind;

struct Field {
    std::string_view group, kind; // of the object; both empty: a file without them
    std::initializer_list<std::string_view> path;
    bool image = false; // the version is the tag of an image
};

const Field fields[] = {
    {"", "", {"machine", "kubelet", "image"}, true}, // Talos' machine config, and patches of it
    {"", "", {"cluster", "apiServer", "image"}, true},
    {"kubeadm.k8s.io", "ClusterConfiguration", {"kubernetesVersion"}},
    {"kubeadm.k8s.io", "InitConfiguration", {"kubernetesVersion"}},
    {"cluster.x-k8s.io", "Cluster", {"spec", "topology", "version"}},
    {"cluster.x-k8s.io", "MachineDeployment", {"spec", "template", "spec", "version"}},
    {"controlplane.cluster.x-k8s.io", "KubeadmControlPlane", {"spec", "version"}},
    {"controlplane.cluster.x-k8s.io", "TalosControlPlane", {"spec", "version"}},
    {"controlplane.cluster.x-k8s.io", "RKE2ControlPlane", {"spec", "version"}},
    {"controlplane.cluster.x-k8s.io", "KThreesControlPlane", {"spec", "version"}},
    {"tuppr.home-operations.com", "KubernetesUpgrade", {"spec", "kubernetes", "version"}},
};

// talhelper and its kin: a file with the versions of both, or one that is called by their name.
bool names_nodes(const FileView& view, NodeRef root) {
    const std::string_view name = view.path.substr(view.path.rfind('/') + 1);
    return name.starts_with("talconfig.") || name.starts_with("talenv.") || root.get_key("talosVersion") ||
           root.get_key("nodes");
}

// `ghcr.io/siderolabs/kubelet:v1.33.1@sha256:…`
void keep_tag(Cell& cell) {
    std::string_view text = cell.text;
    text = text.substr(0, text.find('@'));
    const std::size_t colon = text.rfind(':');
    const bool tagged = colon != std::string_view::npos && text.find('/', colon) == std::string_view::npos;
    cell.text = std::string(tagged ? text.substr(colon + 1) : std::string_view());
    if (cell.text.empty()) cell.state = State::absent;
}

class NodePinReader {
public:
    explicit NodePinReader(const FileView& view) : view_(view) {}
    std::vector<BootstrapPin> pins;

    void read(NodeRef root) {
        const std::string_view kind = root.get("kind").resolved().text();
        const std::string_view group = split_api_version(root.get("apiVersion").resolved().text()).group;
        for (const Field& field : fields)
            if (field.kind == kind && field.group == group) add(cell(root, field), Kind::node_kubernetes);
        if (kind.empty() && names_nodes(view_, root))
            add(cell_at(view_.file, root, {"kubernetesVersion"}), Kind::node_kubernetes);
        if (kind == "Cluster" && group == "kind.x-k8s.io")
            for (const NodeRef node : items_at(root, {"nodes"})) {
                Cell image = cell_at(view_.file, node, {"image"});
                if (is_known(image)) keep_tag(image);
                add(std::move(image), Kind::kind_node);
            }
    }

private:
    Cell cell(NodeRef root, const Field& field) const {
        Cell found = cell_at(view_.file, root, field.path);
        if (field.image && is_known(found)) keep_tag(found);
        return found;
    }

    void add(Cell version, Kind kind) {
        if (!is_set(version)) return;
        BootstrapPin pin;
        pin.kind = kind;
        pin.from = BootstrapPin::From::machines;
        pin.anchor = version.place;
        pin.name.place = pin.chart.place = pin.repository.place = pin.components.place = pin.anchor;
        pin.version = std::move(version);
        pins.push_back(std::move(pin));
    }

    const FileView& view_;
};

} // namespace

std::vector<BootstrapPin> node_pins(const FileView& view) {
    NodePinReader reader(view);
    for (const DocumentView& document : view.documents)
        if (document.root.is_mapping() && !document.embedded) reader.read(document.root);
    return std::move(reader.pins);
}

} // namespace lockstep

// The Kubernetes that machine configs, kubeadm, Cluster API and kind name for their nodes: plain fields of YAML files.
#include "index/node_pins.h"
#include "index/cells.h"
#include "yaml/data_table.h"
#include <algorithm>

namespace lockstep {
namespace {

using Kind = BootstrapPin::Kind;

struct Field {
    std::string group, kind; // of the object; both empty: a file without them
    std::vector<std::string> path;
    bool image = false; // the version is the tag of an image
};

const std::vector<Field>& fields() {
    static const std::vector<Field> known = [] {
        std::vector<Field> rows;
        for (const DataRow& row : data_table("node-versions")) {
            Field field{row[0], row[1], {}, row[3] == "yes"};
            for (std::size_t at = 0; at <= row[2].size();) {
                const std::size_t end = std::min(row[2].find('.', at), row[2].size());
                field.path.push_back(row[2].substr(at, end - at));
                at = end + 1;
            }
            rows.push_back(std::move(field));
        }
        return rows;
    }();
    return known;
}

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
        for (const Field& field : fields())
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
        NodeRef node = root;
        for (const std::string& key : field.path)
            node = node.get(key).resolved();
        Cell found = node && node.is_scalar() ? cell_of(view_.file, node) : Cell();
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

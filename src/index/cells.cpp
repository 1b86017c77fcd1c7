// Nodes into cells, references and pairs.
#include "index/cells.h"
#include "base/base64.h"

namespace lockstep {

namespace {

// The first key of a mapping stands for the whole: a finding on an absent value points at one line, not at a document.
Place head_of(FileId file, NodeRef root) {
    if (!root) return {file, {}};
    const bool filled = root.is_mapping() && root.node().after > root.id() + 1;
    return {file, filled ? NodeRef(&root.yaml(), root.id() + 1).span() : root.span()};
}

// What people wrote: a masked action has filler where its bytes were.
std::string written_text(NodeRef scalar) {
    if (!scalar.templated() || !scalar.yaml().masked) return std::string(scalar.text());
    std::string_view source = scalar.source();
    if (scalar.is_quoted() && source.size() >= 2) source = source.substr(1, source.size() - 2);
    return std::string(source);
}

} // namespace

NodeRef node_at(NodeRef root, Keys keys) {
    NodeRef node = root.resolved();
    for (std::string_view key : keys)
        node = node.get(key).resolved();
    return node;
}

Cell cell_of(FileId file, NodeRef scalar) {
    Cell cell;
    NodeRef node = scalar.resolved();
    cell.place = {file, node.span()};
    if (!node.is_scalar()) return cell;
    if (node.templated()) {
        cell.state = State::templated;
        cell.text = written_text(node);
    } else if (!node.is_null()) {
        cell.text = std::string(node.text());
        if (node.tag() == "tag:yaml.org,2002:binary") // what is read is what it stands for
            if (auto bytes = from_base64(cell.text)) cell.text = std::move(*bytes);
        cell.state = cell.text.starts_with("ENC[AES256_GCM,") ? State::templated : State::known;
    }
    return cell;
}

Cell cell_at(FileId file, NodeRef root, Keys keys) {
    NodeRef node = root.resolved();
    Place deepest = head_of(file, node);
    for (std::string_view key : keys) {
        const NodeRef::Entry entry = node.find(key);
        if (!entry.key) return {State::absent, {}, deepest};
        deepest = {file, entry.key.span()};
        node = entry.value.resolved();
    }
    Cell cell = cell_of(file, node);
    if (cell.state == State::absent) cell.place = deepest;
    return cell;
}

void CellReader::operator()(Cell& to, Keys keys) const {
    to = cell_at(file, root, keys);
}

std::vector<NodeRef> items_at(NodeRef root, Keys keys) {
    std::vector<NodeRef> items;
    NodeRef list = node_at(root, keys);
    if (!list.is_sequence()) return items;
    items = list.items();
    for (NodeRef& item : items)
        item = item.resolved();
    return items;
}

std::vector<Cell> cells_at(FileId file, NodeRef root, Keys keys) {
    std::vector<Cell> cells;
    NodeRef node = node_at(root, keys);
    if (node.is_scalar() && !node.is_null()) cells.push_back(cell_of(file, node));
    for (NodeRef item : items_at(root, keys))
        if (item.is_scalar() && !item.is_null()) cells.push_back(cell_of(file, item));
    return cells;
}

std::vector<Pair> pairs_at(FileId file, NodeRef root, Keys keys) {
    std::vector<Pair> pairs;
    NodeRef map = node_at(root, keys);
    if (!map.is_mapping()) return pairs;
    for (const NodeRef::Entry& entry : map.entries()) {
        Pair pair{cell_of(file, entry.key), cell_of(file, entry.value)};
        if (pair.value.state == State::absent) pair.value.place = pair.key.place;
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

Place place_of(FileId file, NodeRef node) {
    return node ? Place{file, node.span()} : Place{};
}

Place key_place(FileId file, NodeRef root, Keys keys) {
    NodeRef::Entry entry{{}, root};
    for (std::string_view key : keys)
        entry = entry.value.resolved().find(key);
    return place_of(file, entry.key);
}

Place value_place(FileId file, NodeRef root, Keys keys) {
    return place_of(file, node_at(root, keys));
}

Reference reference_of(FileId file, NodeRef map) {
    Reference reference;
    map = map.resolved();
    reference.place = place_of(file, map);
    if (map.is_scalar()) {
        reference.name = cell_of(file, map);
        return reference;
    }
    reference.kind = cell_at(file, map, {"kind"});
    reference.name = cell_at(file, map, {"name"});
    reference.ns = cell_at(file, map, {"namespace"});
    reference.api_version = cell_at(file, map, {"apiVersion"});
    reference.optional_flag = cell_at(file, map, {"optional"});
    return reference;
}

std::vector<Reference> references_at(FileId file, NodeRef root, Keys keys) {
    std::vector<Reference> references;
    for (NodeRef item : items_at(root, keys))
        references.push_back(reference_of(file, item));
    return references;
}

} // namespace lockstep

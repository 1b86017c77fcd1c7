// From nodes to cells: the one way in which entities take values out of a node table.
#pragma once
#include "base/table.h"
#include "index/entities.h"
#include "yaml/node.h"
#include <initializer_list>

namespace lockstep {

using Keys = std::initializer_list<std::string_view>;

// The value under a chain of keys, aliases followed; empty when there is none.
NodeRef node_at(NodeRef root, Keys keys);
// A scalar is known or templated (SOPS ciphertext counts as templated: there, but not readable). Null and anything
// that is not a scalar is absent; the place of an absent cell is the deepest key that exists on the way to it.
Cell cell_at(FileId file, NodeRef root, Keys keys);
Cell cell_of(FileId file, NodeRef scalar);
// The same for many cells of one document, into their places.
struct CellReader {
    FileId file;
    NodeRef root;
    void operator()(Cell& to, Keys keys) const;
};
// The cells of a list of scalars; other items are left out. A lone scalar is a list of one.
std::vector<Cell> cells_at(FileId file, NodeRef root, Keys keys);
std::vector<Pair> pairs_at(FileId file, NodeRef root, Keys keys);
std::vector<NodeRef> items_at(NodeRef root, Keys keys);
// The place of the key that leads to the value; file == no_file when it is not there.
Place key_place(FileId file, NodeRef root, Keys keys);
Place value_place(FileId file, NodeRef root, Keys keys);
Place place_of(FileId file, NodeRef node);

Reference reference_of(FileId file, NodeRef map); // kind, name, namespace, apiVersion, optional
std::vector<Reference> references_at(FileId file, NodeRef root, Keys keys);

inline bool is_set(const Cell& cell) {
    return cell.state != State::absent;
}
inline bool is_known(const Cell& cell) {
    return cell.state == State::known;
}
inline bool is_there(const Place& place) {
    return place.file != no_file;
}

} // namespace lockstep

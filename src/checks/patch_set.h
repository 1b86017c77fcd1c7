// The patches of one kustomization or Flux Kustomization, read into documents and lists of operations, and found by the
// object they may reach.
#pragma once
#include "base/pattern.h"
#include "checks/nodes.h"
#include <list>
#include <optional>
#include <unordered_map>

namespace lockstep {

enum class Match : std::uint8_t { no, maybe, yes };

// An object as a patch's target sees it on some layer of its way up.
struct PatchTarget {
    const Object& object;
    NodeRef root;
    std::vector<std::string> names;      // as written, and with the prefixes and suffixes of the layers below
    std::vector<std::string> namespaces; // as written, and those that the layers below set
    std::vector<Pair> added_labels;      // by the layers below
};

// A field of a target: an anchored expression. Most are plain words, which need none.
struct Expression {
    std::string plain;
    std::optional<Pattern> pattern;
};

// One document of a patch, or one list of operations.
struct Change {
    NodeRef root;
    bool operations = false;
    Place whole;         // the patch, where its nodes have no places of their own
    bool placed = false; // the nodes' spans count in whole.file
    const Patch* patch = nullptr;
    std::optional<Expression> group, kind, name, ns; // of the target; nothing where any will do
    std::string own_kind, own_name, own_ns;          // without a target: what the document itself names
    bool targeted = false;
    bool vague = false; // the target hangs on a templated value

    Place place_of(NodeRef node) const { return placed ? Place{whole.file, node.span()} : whole; }
};

struct PatchSet {
    std::vector<Change> changes; // in the order they are applied
    // Where a change is looked for: documents without a target by name_key, targets by a name without expressions.
    std::unordered_map<std::string, std::vector<std::size_t>> by_document, by_target;
    std::vector<std::size_t> others; // asked for every object
    std::string unreadable;          // why some patch could not be read
    std::list<std::string> texts;
    std::list<YamlText> inner;

    // Those that reach the object, or may, in order.
    std::vector<std::pair<const Change*, Match>> reaching(const PatchTarget& target) const;
};

// `dir` is where paths of patches count from. Files are read through `nodes`, which must outlive the set.
PatchSet read_patch_set(const Repository& repository, Nodes& nodes, std::string_view dir,
                        const std::vector<Patch>& patches);

Match match_selector(std::string_view selector, NodeRef labels, const std::vector<Pair>& added);

} // namespace lockstep

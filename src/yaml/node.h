// The flat node table: what one YAML text says, with the exact bytes of every key and value. Built by parse.h, read
// through NodeRef. Nodes are in document order; a mapping is followed by its keys and values in turn.
#pragma once
#include "base/span.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = 0xffffffffU;

enum class NodeKind : std::uint8_t { scalar, mapping, sequence, alias };
enum class NodeStyle : std::uint8_t { plain, single_quoted, double_quoted, literal, folded, block, flow };

struct Node {
    std::uint32_t begin = 0, end = 0; // bytes in the file; quotes, block header (`|-`) and brackets included
    NodeId parent = no_node;
    NodeId after = no_node; // first node behind this one's subtree
    std::uint32_t text_begin =
        0; // scalar: where its value starts, in the file or in the decoded store; alias: its target
    std::uint32_t text_size = 0;
    std::uint16_t tag = 0;    // 1-based into YamlText::tags, 0 for none
    std::uint16_t anchor = 0; // 1-based into YamlText::anchors, 0 for none
    NodeKind kind = NodeKind::scalar;
    NodeStyle style = NodeStyle::plain;
    bool decoded = false;   // the value differs from the bytes in the file and is in the decoded store
    bool templated = false; // a scalar with a `{{ }}` action, or a `${ }` reference, in it or for its value
};
static_assert(sizeof(Node) == 32);

struct YamlDocument {
    NodeId root = no_node; // no_node: an empty document
    Span span;
};

struct YamlProblem {
    enum class Kind : std::uint8_t { syntax, duplicate_key, line_separator } kind = Kind::syntax;
    Span span;
    std::string message;
    Span other = {}; // duplicate_key: the first key; syntax: where the broken construct began; 0,0 for none
    std::string other_message = {};
    bool limit = false;      // not wrong, but more than is read
    bool same_value = false; // duplicate_key: both say the same
    // syntax: libyaml's own words with go-yaml's line, as Helm and kubectl show them.
    std::string reader_message = {};
    bool in_first_document = false;
};

struct YamlText {
    std::string_view text; // the whole file; spans count from its start
    Span region;           // the part of it that was read
    std::vector<Node> nodes;
    std::vector<YamlDocument> documents;
    std::vector<YamlProblem> problems;
    std::vector<std::string> tags, anchors;
    std::string decoded;
    bool masked = false; // template actions were blanked to read it
};

// One node of a table, cheap to copy. An empty reference answers every question with nothing.
class NodeRef {
public:
    NodeRef() = default;
    NodeRef(const YamlText* yaml, NodeId id) : yaml_(id == no_node ? nullptr : yaml), id_(id) {}
    explicit operator bool() const { return yaml_ != nullptr; }
    NodeId id() const { return id_; }
    const YamlText& yaml() const { return *yaml_; }

    bool is_scalar() const { return yaml_ && node().kind == NodeKind::scalar; }
    bool is_mapping() const { return yaml_ && node().kind == NodeKind::mapping; }
    bool is_sequence() const { return yaml_ && node().kind == NodeKind::sequence; }
    bool is_null() const;   // a plain `null`, `~` or nothing at all
    bool is_quoted() const; // single or double quotes
    bool templated() const { return yaml_ && node().templated; }
    std::string_view text() const { // decoded value of a scalar; empty for anything else
        if (!is_scalar()) return {};
        const Node& own = node();
        return (own.decoded ? std::string_view(yaml_->decoded) : yaml_->text).substr(own.text_begin, own.text_size);
    }
    Span span() const { return yaml_ ? Span{node().begin, node().end} : Span{}; }
    std::string_view source() const; // the node's bytes in the file
    std::string_view tag() const;
    const Node& node() const { return yaml_->nodes[id_]; }

    // Aliases are followed here, merge keys (`<<`) looked through, with a limit. No alias leads into a node that holds
    // it; still, only these do it: who walks by entries() and items() meets aliases as written, and no bomb.
    // An alias' target (empty when unknown), anything else itself. An anchor is on a scalar or a collection, never
    // on an alias: one step is the whole chain.
    NodeRef resolved() const {
        if (!yaml_ || node().kind != NodeKind::alias) return *this;
        return {yaml_, node().text_begin};
    }
    NodeRef get(std::string_view key) const;     // value under a key of a mapping
    NodeRef get_key(std::string_view key) const; // the key's own node
    NodeRef at(std::size_t index) const;         // item of a sequence

    struct Entry;
    Entry find(std::string_view key) const; // both of them; the value as it stands
    std::vector<Entry> entries() const;     // own entries of a mapping, in file order, merge keys as written
    std::vector<NodeRef> items() const;     // items of a sequence

private:
    const YamlText* yaml_ = nullptr;
    NodeId id_ = no_node;
};

struct NodeRef::Entry {
    NodeRef key, value;
};

// `spec.chart.spec.version`, `dependencies[name=flux2].version`, `containers[2].image`: for stable keys and messages.
std::string path_of(NodeRef node);

// The same for many nodes of one text: in document order the siblings of each are walked over once in all.
class NodePaths {
public:
    std::string of(NodeRef node);

private:
    struct Level { // the last step taken at this depth
        NodeId parent = no_node, child = no_node;
        std::size_t index = 0;
        std::string step = {};
        const std::string& step_to(const YamlText& yaml, NodeId collection, NodeId wanted);
    };
    std::vector<Level> levels_;
    std::vector<NodeId> chain_;
};

} // namespace lockstep

// How the rest of the program reads the node table: look-up by key and index, aliases, merge keys, stable paths.
#include "yaml/node.h"
#include <algorithm>

namespace lockstep {
namespace {

// Mappings looked through for one key by way of `<<`: each at most once, so that a merge bomb costs no more than its
// bytes.
constexpr std::size_t most_merged = 256;

// Children of a collection in turn: the node behind it is the first, `after` leads to the next.
class Children {
public:
    explicit Children(NodeRef parent) : yaml_(&parent.yaml()), next_(parent.id() + 1), end_(parent.node().after) {}
    NodeRef take() {
        if (next_ >= end_) return {};
        const NodeId id = next_;
        next_ = yaml_->nodes[id].after;
        return {yaml_, id};
    }

private:
    const YamlText* yaml_;
    NodeId next_, end_;
};

bool is_merge_key(NodeRef key) {
    return key.is_scalar() && key.node().style == NodeStyle::plain && key.text() == "<<" &&
           (key.tag().empty() || key.tag() == "tag:yaml.org,2002:merge");
}

// Own keys win, then merged mappings in the order in which they are named.
NodeRef::Entry find_entry(NodeRef mapping, std::string_view key, std::vector<NodeId>& visited) {
    if (!mapping.is_mapping() || visited.size() >= most_merged) return {};
    if (std::find(visited.begin(), visited.end(), mapping.id()) != visited.end()) return {};
    // By far the most common walk of all: over the table itself.
    const YamlText& yaml = mapping.yaml();
    bool merges = false;
    for (NodeId id = mapping.id() + 1, end = mapping.node().after; id < end;) {
        const Node& name = yaml.nodes[id];
        const NodeId value = name.after;
        const NodeId target = name.kind == NodeKind::alias ? name.text_begin : id; // none when nobody knows the anchor
        if (target != no_node && (yaml.nodes[target].text_size == key.size() || yaml.nodes[target].text_size == 2)) {
            const NodeRef scalar(&yaml, target);
            if (scalar.is_scalar() && scalar.text() == key) return {{&yaml, id}, {&yaml, value}};
            merges = merges || is_merge_key({&yaml, id});
        }
        id = yaml.nodes[value].after;
    }
    if (!merges && visited.empty()) return {}; // the common miss costs no memory
    visited.push_back(mapping.id());
    if (!merges) return {};

    for (Children children(mapping); const NodeRef name = children.take();) {
        const NodeRef value = children.take().resolved();
        if (!is_merge_key(name)) continue;
        if (const NodeRef::Entry found = find_entry(value, key, visited); found.key) return found;
        if (!value.is_sequence()) continue;
        for (Children list(value); const NodeRef item = list.take();)
            if (const NodeRef::Entry found = find_entry(item.resolved(), key, visited); found.key) return found;
    }
    return {};
}

bool is_bare_key(std::string_view key) {
    return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
               c == '-';
    });
}

std::string key_step(NodeRef key) {
    const NodeRef shown = key.resolved();
    const std::string_view text = shown.is_scalar() ? shown.text() : key.source();
    if (is_bare_key(text)) return "." + std::string(text);
    std::string step = "[\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') step += '\\';
        step += c;
    }
    return step + "\"]";
}

std::string item_step(NodeRef item, std::size_t index) {
    const NodeRef name = item.get("name");
    if (!name.is_scalar() || name.text().empty() || name.text().find_first_of("]\n") != std::string_view::npos)
        return "[" + std::to_string(index) + "]";
    return "[name=" + std::string(name.text()) + "]";
}

} // namespace

bool NodeRef::is_null() const {
    if (!is_scalar()) return false;
    if (node().tag != 0) return tag() == "tag:yaml.org,2002:null";
    if (node().style != NodeStyle::plain) return false;
    const std::string_view value = text();
    // A scalar that a template action fills is not empty: nobody knows yet what it is.
    if (value.empty()) return !node().templated;
    return value == "~" || value == "null" || value == "Null" || value == "NULL";
}

bool NodeRef::is_quoted() const {
    return is_scalar() && (node().style == NodeStyle::single_quoted || node().style == NodeStyle::double_quoted);
}

std::string_view NodeRef::source() const {
    if (!yaml_) return {};
    return yaml_->text.substr(node().begin, node().end - node().begin);
}

std::string_view NodeRef::tag() const {
    if (!yaml_ || node().tag == 0) return {};
    return yaml_->tags[node().tag - 1U];
}

NodeRef::Entry NodeRef::find(std::string_view key) const {
    std::vector<NodeId> visited;
    return find_entry(resolved(), key, visited);
}

NodeRef NodeRef::get(std::string_view key) const {
    return find(key).value.resolved();
}

NodeRef NodeRef::get_key(std::string_view key) const {
    return find(key).key;
}

NodeRef NodeRef::at(std::size_t index) const {
    const NodeRef list = resolved();
    if (!list.is_sequence()) return {};
    Children children(list);
    NodeRef item = children.take();
    for (; item && index > 0; --index)
        item = children.take();
    return item.resolved();
}

std::vector<NodeRef::Entry> NodeRef::entries() const {
    std::vector<Entry> out;
    const NodeRef mapping = resolved();
    if (!mapping.is_mapping()) return out;
    for (Children children(mapping); const NodeRef key = children.take();)
        out.push_back({key, children.take()});
    return out;
}

std::vector<NodeRef> NodeRef::items() const {
    std::vector<NodeRef> out;
    const NodeRef list = resolved();
    if (!list.is_sequence()) return out;
    for (Children children(list); const NodeRef item = children.take();)
        out.push_back(item);
    return out;
}

// The step from a collection to its child, found by walking on from the child that was asked for last. A key and its
// value have the same step.
const std::string& NodePaths::Level::step_to(const YamlText& yaml, NodeId collection, NodeId wanted) {
    if (parent != collection || wanted < child) *this = {collection, collection + 1, 0, {}};
    const bool list = yaml.nodes[collection].kind == NodeKind::sequence;
    while (true) {
        const NodeId value = list ? child : yaml.nodes[child].after;
        if (wanted <= value) break;
        child = yaml.nodes[value].after;
        ++index;
        step.clear();
    }
    if (step.empty()) step = list ? item_step({&yaml, child}, index) : key_step({&yaml, child});
    return step;
}

std::string NodePaths::of(NodeRef node) {
    if (!node) return {};
    const YamlText& yaml = node.yaml();
    chain_.clear();
    for (NodeId id = node.id(); id != no_node; id = yaml.nodes[id].parent)
        chain_.push_back(id);
    if (levels_.size() < chain_.size()) levels_.resize(chain_.size());
    std::string path;
    for (std::size_t depth = 0; depth + 1 < chain_.size(); ++depth) {
        const NodeId from = chain_[chain_.size() - 1 - depth], to = chain_[chain_.size() - 2 - depth];
        const std::string& step = levels_[depth].step_to(yaml, from, to);
        path += path.empty() && step.starts_with('.') ? std::string_view(step).substr(1) : std::string_view(step);
    }
    return path;
}

std::string path_of(NodeRef node) {
    return NodePaths().of(node);
}

} // namespace lockstep

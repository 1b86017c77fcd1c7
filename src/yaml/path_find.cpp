// Finds what a path names: one walk over the nodes with the set of steps that may come next, so that no node is walked
// twice for the same step, whatever `**` and aliases do.
#include "yaml/path.h"
#include <bit>
#include <unordered_map>
#include <unordered_set>

namespace lockstep {
namespace {

using PathStep = YamlPath::Step;
using Match = YamlPath::Match;
using States = std::uint64_t; // bit i: step i comes next; bit steps.size(): arrived

constexpr States bit(std::size_t index) {
    return States{1} << index;
}

bool is_untagged_merge_key(NodeRef key) {
    return key.is_scalar() && key.node().style == NodeStyle::plain && key.text() == "<<";
}

class Walk {
public:
    Walk(const std::vector<PathStep>& steps, NodeRef root, bool first_only)
        : steps_(steps), first_only_(first_only), shared_(root && !root.yaml().anchors.empty()), deepest_(root) {
        if (root) arrive({}, root, bit(0), 0);
    }

    std::vector<Match> matches;
    NodeRef deepest() const { return deepest_; }

private:
    // `stepped`: states reached by a step that names this node, `descended`: by `**` passing through. True: enough.
    bool arrive(NodeRef key, NodeRef value, States stepped, States descended) {
        const States all = with_empty_descents(stepped | descended);
        const std::size_t progress = static_cast<std::size_t>(std::bit_width(stepped));
        if (progress > deepest_progress_) {
            if (deepest_progress_ > 0) deepest_ = key ? key : value;
            deepest_progress_ = progress;
        }
        const NodeRef node = value.resolved();
        if (!node) return false; // an alias without its anchor
        if ((all & bit(steps_.size())) != 0 && is_new_match(key, node)) {
            matches.push_back({key, node});
            if (first_only_) return true;
        }
        const bool alias = value.node().kind == NodeKind::alias;
        States next = (alias ? with_empty_descents(stepped) : all) & ~bit(steps_.size());
        if (shared_ && next != 0) {
            States& done = done_[node.id()];
            next &= ~done;
            done |= next;
        }
        if (next == 0) return false;
        if (node.is_mapping()) return enter_mapping(node, next);
        if (node.is_sequence()) return enter_sequence(node, next);
        return false;
    }

    States with_empty_descents(States states) const {
        for (std::size_t i = 0; i < steps_.size(); ++i)
            if ((states & bit(i)) != 0 && steps_[i].kind == PathStep::Kind::descend) states |= bit(i + 1);
        return states;
    }

    bool is_new_match(NodeRef key, NodeRef value) {
        if (!shared_) return true;
        const std::uint64_t key_id = key ? key.id() : no_node;
        return matched_.insert(key_id << 32U | value.id()).second;
    }

    bool enter_mapping(NodeRef node, States states) {
        States named = 0, open = 0; // key steps that look through merges; steps that want to see every entry
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if ((states & bit(i)) == 0) continue;
            const bool below_descent = i > 0 && steps_[i - 1].kind == PathStep::Kind::descend;
            (steps_[i].kind == PathStep::Kind::key && !below_descent ? named : open) |= bit(i);
        }
        const std::vector<Node>& nodes = node.yaml().nodes;
        const NodeId end = node.node().after;
        for (NodeId id = node.id() + 1; id < end && open != 0;) {
            const NodeRef key(&node.yaml(), id), value(&node.yaml(), nodes[id].after);
            id = value.node().after;
            States stepped = 0, descended = 0;
            for (std::size_t i = 0; i < steps_.size(); ++i) {
                if (((open | named) & bit(i)) == 0) continue;
                const PathStep& step = steps_[i];
                if (step.kind == PathStep::Kind::descend) {
                    descended |= bit(i);
                } else if (step.kind == PathStep::Kind::any_key
                               ? !is_untagged_merge_key(key) && has_prefix(key, step.name)
                               : step.kind == PathStep::Kind::key && has_text(key, step.name)) {
                    stepped |= bit(i + 1);
                    named &= ~bit(i);
                }
            }
            if ((stepped | descended) != 0 && arrive(key, value, stepped, descended)) return true;
        }
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if ((named & bit(i)) == 0) continue;
            const NodeRef key = node.get_key(steps_[i].name);
            if (key && arrive(key, node.get(steps_[i].name), bit(i + 1), 0)) return true;
        }
        return false;
    }

    bool enter_sequence(NodeRef node, States states) {
        const std::vector<Node>& nodes = node.yaml().nodes;
        const NodeId end = node.node().after;
        std::size_t index = 0;
        for (NodeId id = node.id() + 1; id < end; id = nodes[id].after, ++index) {
            const NodeRef item(&node.yaml(), id);
            States stepped = 0, descended = 0;
            for (std::size_t i = 0; i < steps_.size(); ++i) {
                if ((states & bit(i)) == 0) continue;
                const PathStep& step = steps_[i];
                if (step.kind == PathStep::Kind::descend)
                    descended |= bit(i);
                else if (step.kind == PathStep::Kind::any_item ||
                         (step.kind == PathStep::Kind::index && step.index == index) ||
                         (step.kind == PathStep::Kind::where && has_text(item.get(step.name), step.value)))
                    stepped |= bit(i + 1);
            }
            if ((stepped | descended) != 0 && arrive({}, item, stepped, descended)) return true;
        }
        return false;
    }

    static bool has_prefix(NodeRef key, std::string_view prefix) {
        return prefix.empty() || key.resolved().text().starts_with(prefix);
    }

    static bool has_text(NodeRef node, std::string_view text) {
        const NodeRef scalar = node.resolved();
        return scalar.is_scalar() && scalar.text() == text;
    }

    const std::vector<PathStep>& steps_;
    bool first_only_;
    bool shared_; // there are anchors: a node may be reached twice
    NodeRef deepest_;
    std::size_t deepest_progress_ = 0;
    std::unordered_map<NodeId, States> done_;
    std::unordered_set<std::uint64_t> matched_;
};

} // namespace

std::vector<Match> YamlPath::find(NodeRef root) const {
    return Walk(steps_, root, false).matches;
}

std::optional<Match> YamlPath::find_first(NodeRef root) const {
    const Walk walk(steps_, root, true);
    if (walk.matches.empty()) return std::nullopt;
    return walk.matches.front();
}

NodeRef YamlPath::deepest(NodeRef root) const {
    return Walk(steps_, root, true).deepest();
}

} // namespace lockstep

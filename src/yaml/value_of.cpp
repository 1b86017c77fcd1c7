// From a node table to a tree: aliases become copies, merge keys the entries that they bring, as kyaml does it.
#include "yaml/value.h"

namespace lockstep {
namespace {

class Converter {
public:
    Converter(FileId file, Arena& arena, const ValueLimits& limits) : file_(file), arena_(arena), limits_(limits) {}

    Value* convert(NodeRef node) {
        if (node.node().kind == NodeKind::alias) {
            node = node.resolved();
            if (!node) return fail("unknown anchor");
        }
        if (++made_ > limits_.nodes) return fail("document contains excessive aliasing");
        Value* value = arena_.make<Value>();
        value->place = {file_, node.span()};
        value->kind = node.node().kind;
        value->style = node.node().style;
        if (!node.tag().empty() && node.tag() != "!") {
            value->tag = short_tag(node.tag());
            value->tagged = true;
        }
        if (node.is_scalar())
            fill_scalar(*value, node);
        else if (!fill_children(*value, node))
            return nullptr;
        return value;
    }

    std::string error;

private:
    Value* fail(std::string_view why) {
        if (error.empty()) error = why;
        return nullptr;
    }

    std::string_view short_tag(std::string_view tag) {
        constexpr std::string_view yaml = "tag:yaml.org,2002:";
        if (!tag.starts_with(yaml)) return arena_.keep(tag);
        const std::string_view name = tag.substr(yaml.size());
        for (std::string_view known : {"!!str", "!!int", "!!map", "!!seq", "!!null", "!!bool", "!!float", "!!binary"})
            if (known.substr(2) == name) return known;
        return arena_.keep("!!" + std::string(name));
    }

    void fill_scalar(Value& value, NodeRef node) {
        value.text = node.node().decoded ? arena_.keep(node.text()) : node.text();
        if (!value.tag.empty()) return;
        value.tag = value.style == NodeStyle::plain ? resolved_tag(value.text) : "!!str";
    }

    bool fill_children(Value& value, NodeRef node) {
        if (value.tag.empty()) value.tag = value.is_mapping() ? "!!map" : "!!seq";
        const YamlText& yaml = node.yaml();
        const NodeId begin = node.id() + 1, end = node.node().after;
        std::uint32_t count = 0;
        for (NodeId id = begin; id < end; id = yaml.nodes[id].after)
            ++count;
        value.children = arena_.make_array<Value*>(count);
        value.room = count;
        NodeRef merge;
        for (NodeId id = begin; id < end; id = yaml.nodes[id].after) {
            if (value.is_mapping() && value.count % 2 == 0 && is_merge({&yaml, id})) {
                if (merge) return fail("duplicate merge key") != nullptr;
                id = yaml.nodes[id].after;
                merge = {&yaml, id};
                continue;
            }
            Value* child = convert({&yaml, id});
            if (!child) return false;
            value.children[value.count++] = child;
        }
        return !merge || add_merged(value, merge);
    }

    static bool is_merge(NodeRef key) {
        return key.is_scalar() && key.node().style == NodeStyle::plain && key.text() == "<<" &&
               (key.tag().empty() || key.tag() == "tag:yaml.org,2002:merge");
    }

    // Own entries win, then the mappings in the order in which they are named.
    bool add_merged(Value& value, NodeRef merge) {
        const bool alias = merge.node().kind == NodeKind::alias;
        const NodeRef target = merge.resolved();
        if (!target) return fail("unknown anchor") != nullptr;
        if (target.is_mapping()) return add_entries(value, target);
        if (alias) return fail("invalid map merge: received alias for a non-map value") != nullptr;
        if (!target.is_sequence()) return fail("map merge requires map or sequence of maps as the value") != nullptr;
        for (const NodeRef item : target.items()) {
            const NodeRef one = item.resolved();
            if (one.is_sequence()) return fail("invalid map merge: received a nested sequence") != nullptr;
            if (!one.is_mapping()) return fail("map merge requires map or sequence of maps as the value") != nullptr;
            if (!add_entries(value, one)) return false;
        }
        return true;
    }

    bool add_entries(Value& value, NodeRef mapping) {
        const Value* from = convert(mapping);
        if (!from) return false;
        for (std::size_t i = 0; i < from->size(); ++i)
            if (value.find(from->key_at(i)->text) < 0) append_entry(value, from->key_at(i), from->value_at(i), arena_);
        return true;
    }

    FileId file_;
    Arena& arena_;
    ValueLimits limits_;
    std::size_t made_ = 0;
};

} // namespace

Value* value_of(NodeRef node, FileId file, Arena& arena, std::string* error, const ValueLimits& limits) {
    if (!node) return nullptr;
    Converter converter(file, arena, limits);
    Value* value = converter.convert(node);
    if (!value && error) *error = converter.error;
    return value;
}

} // namespace lockstep

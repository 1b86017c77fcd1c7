// Reads `${NAME}` as Flux does, and the keys of what supplies names.
#include "checks/substitution.h"
#include "index/cells.h"

namespace lockstep {
namespace {

bool starts_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool continues_name(char c) {
    return starts_name(c) || (c >= '0' && c <= '9');
}

struct Found {
    std::size_t begin = 0, end = 0; // of `${NAME}`
};

std::vector<Found> find_variables(std::string_view text) {
    std::vector<Found> found;
    for (std::size_t at = text.find('$'); at != std::string_view::npos && at + 1 < text.size();) {
        if (text[at + 1] == '$') { // an escape takes both
            at = text.find('$', at + 2);
            continue;
        }
        std::size_t end = at + 2;
        if (text[at + 1] == '{' && end < text.size() && starts_name(text[end])) {
            while (end < text.size() && continues_name(text[end]))
                ++end;
            if (end < text.size() && text[end] == '}') found.push_back({at, end + 1});
        }
        at = text.find('$', at + 1);
    }
    return found;
}

void take_keys(std::set<std::string>& names, NodeRef map) {
    map = map.resolved();
    for (const NodeRef::Entry& entry : map.is_mapping() ? map.entries() : std::vector<NodeRef::Entry>())
        names.emplace(entry.key.text());
}

} // namespace

std::vector<VariableUse> variables_in(NodeRef document) {
    std::vector<VariableUse> uses;
    if (!document) return uses;
    const YamlText& yaml = document.yaml();
    for (NodeId id = document.id(); id < document.node().after && id < yaml.nodes.size(); ++id) {
        const NodeRef node(&yaml, id);
        if (!node.is_scalar()) continue;
        const std::string_view text = node.text();
        if (text.find("${") == std::string_view::npos) continue;
        const std::string_view source = node.source();
        std::size_t from = 0;
        for (const Found& one : find_variables(text)) {
            const std::string_view written = text.substr(one.begin, one.end - one.begin);
            Span span = node.span();
            if (const std::size_t at = source.find(written, from); at != std::string_view::npos) {
                span = {node.span().begin + static_cast<std::uint32_t>(at),
                        node.span().begin + static_cast<std::uint32_t>(at + written.size())};
                from = at + written.size();
            }
            uses.push_back({std::string(written.substr(2, written.size() - 3)), span});
        }
    }
    return uses;
}

// The keys of all that go by this name, whatever cluster they are for.
const SuppliedNames::Names& SuppliedNames::keys_of(const Declared& declared) {
    const auto [known, is_new] = keys_.try_emplace(&declared);
    if (!is_new) return known->second;
    std::set<std::string> names;
    for (EntityId id : declared.objects) {
        const NodeRef root = known_.nodes().root(index_.objects[id]);
        if (!root || root.yaml().masked || index_.objects[id].in_templates) return known->second;
        for (std::string_view block : {"data", "stringData", "binaryData"})
            take_keys(names, root.get(block));
    }
    known->second = std::move(names);
    return known->second;
}

SuppliedNames::Names SuppliedNames::of(const FluxKustomization& flux, std::string& why) {
    std::set<std::string> names;
    for (const Pair& pair : flux.substitute) {
        if (!is_known(pair.key)) {
            why = "a templated name under substitute";
            return std::nullopt;
        }
        names.insert(pair.key.text);
    }
    for (const Reference& reference : flux.substitute_from) {
        why = "not all that " + reference.kind.text + " " + reference.name.text + " supplies is known";
        if (!is_known(reference.name) || !is_known(reference.kind)) return std::nullopt;
        if (!generated_.find(reference.kind.text == "Secret", reference.name.text).empty()) return std::nullopt;
        const Existence existence = known_.look({"", reference.kind.text, "", reference.name.text});
        if (!existence.declared) return std::nullopt;
        const Names& keys = keys_of(*existence.declared);
        if (!keys) return std::nullopt;
        names.insert(keys->begin(), keys->end());
    }
    why.clear();
    return names;
}

} // namespace lockstep

// Finds an entry of the config again.
#include "config/entry_position.h"
#include "yaml/node.h"
#include "yaml/parse.h"

namespace lockstep {

std::optional<Position> entry_position(std::string_view config, std::string_view key, std::string_view entry) {
    const YamlText yaml = parse_yaml(config);
    if (yaml.documents.empty()) return std::nullopt;
    const NodeRef list = NodeRef(&yaml, yaml.documents.front().root).get(key);
    std::optional<Position> found;
    const auto look = [&](NodeRef node) {
        if (!found && node.is_scalar() && node.text() == entry) found = LineTable(config).position(node.span().begin);
    };
    if (!list) return std::nullopt;
    look(list);
    for (NodeRef item : list.items())
        look(item.resolved());
    return found;
}

} // namespace lockstep

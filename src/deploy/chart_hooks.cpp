// Finds hooks among what releases and charts render.
#include "deploy/chart_hooks.h"
#include "deploy/fleet.h"
#include "index/side_paths.h"
#include "yaml/parse.h"
#include <set>

namespace lockstep {

Value* tree_of_document(const RenderedDocument& document, Arena& arena) {
    constexpr FileId rendered_file = no_file - 1; // stands for the document while its places are put right
    const YamlText yaml = parse_yaml(arena.keep(document.text)); // values are views into it
    if (yaml.documents.empty() || yaml.documents.front().root == no_node) return nullptr;
    Value* tree = value_of({&yaml, yaml.documents.front().root}, rendered_file, arena);
    if (tree) place_rendered(*tree, rendered_file, document);
    return tree;
}

void each_hook(const Repository& repository, const std::function<void(const ChartHook&)>& visit) {
    const Index& index = repository.index;
    std::set<std::pair<EntityId, std::string>> seen;
    const auto look = [&](EntityId chart, const RenderedChart& rendered) {
        for (const RenderedDocument& document : rendered.documents) {
            if (document.hooks.empty()) continue;
            Arena arena;
            const Value* tree = tree_of_document(document, arena);
            if (!tree) continue;
            const Value* metadata = tree->get("metadata");
            const std::string name = document.source + " " + std::string(tree->text_of("kind")) + " " +
                                     std::string(metadata ? metadata->text_of("name") : "");
            if (seen.emplace(chart, name).second) visit({chart, *tree, document, rendered});
        }
    };
    for (const ReleaseRow& row : fleet_of(repository).releases)
        if (row.chart != no_entity && row.rendered) look(row.chart, *row.rendered);
    const auto& unreleased = fleet_of(repository).unreleased;
    for (EntityId id = 0; id < unreleased.size(); ++id)
        if (const auto& own = unreleased[id].rendered; own && !is_side_path(index, index.charts[id].file))
            look(id, *own);
}

} // namespace lockstep

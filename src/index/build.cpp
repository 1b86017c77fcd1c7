// Merges the files' entities in file order and has them linked.
#include "base/parallel.h"
#include "index/links.h"
#include <iterator>

namespace lockstep {

namespace {

template <class T> void append(std::vector<T>& to, std::vector<T>& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void rebase(EntityId& object, EntityId offset) {
    if (object != no_entity) object += offset;
}

} // namespace

void add_file(Index& index, FileIndex&& file) {
    auto offset = static_cast<EntityId>(index.objects.size());
    const auto rebase_all = [&](auto& all) {
        for (auto& one : all)
            rebase(one.object, offset);
    };
    rebase_all(file.releases);
    rebase_all(file.sources);
    rebase_all(file.flux_kustomizations);
    rebase_all(file.kustomizations);
    rebase_all(file.blueprints);
    rebase_all(file.custom_kinds);
    rebase_all(file.scripts);
    rebase_all(file.images);
    rebase_all(file.loose_values);
    append(index.documents, file.documents);
    append(index.objects, file.objects);
    append(index.charts, file.charts);
    append(index.chart_sides, file.chart_sides);
    append(index.releases, file.releases);
    append(index.sources, file.sources);
    append(index.flux_kustomizations, file.flux_kustomizations);
    append(index.kustomizations, file.kustomizations);
    append(index.blueprints, file.blueprints);
    append(index.custom_kinds, file.custom_kinds);
    append(index.scripts, file.scripts);
    append(index.images, file.images);
    append(index.foreign, file.foreign);
    append(index.loose_values, file.loose_values);
    append(index.bootstrap_pins, file.bootstrap_pins);
    append(index.published.registries, file.published.registries);
    append(index.published.artifacts, file.published.artifacts);
    index.published.stamped = index.published.stamped || file.published.stamped;
}

std::string name_key(std::string_view kind, std::string_view name) {
    std::string key(kind);
    key += '/';
    key += name;
    return key;
}

void link_index(Index& index, const Tree& tree, const Layout& layout, const IndexOptions& options) {
    index.tree = &tree;
    index.file_trees.resize(tree.files.size());
    parallel_for(tree.files.size(), options.jobs,
                 [&](std::size_t file) { index.file_trees[file] = layout.tree_of(tree.files[file].path); });
    for (const Foreign& foreign : index.foreign)
        ++index.foreign_counts[foreign.tool];
    link_charts(index, layout);
    link_kustomizations(index, options.jobs); // before the names: what serves as a patch declares nothing
    link_names(index);
    add_published_by_workflows(index);
    link_sources(index, options);
    link_flux(index);
    link_own_registries(index, options);
    link_releases(index);
    link_dependencies(index);
}

} // namespace lockstep

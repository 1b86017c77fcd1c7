// Reads the tables' rows, and the images that values files name.
#include "relations/denials.h"
#include "index/cells.h"
#include "yaml/path.h"

namespace lockstep {

std::optional<Glob> glob_of(const Cell& cell) {
    if (!is_known(cell) || cell.text.empty()) return std::nullopt;
    auto glob = Glob::compile(cell.text);
    if (!glob) return std::nullopt;
    return *glob;
}

std::string_view last_part(std::string_view path) {
    while (path.ends_with('/'))
        path.remove_suffix(1);
    return path.substr(path.rfind('/') + 1);
}

Table image_values(const Repository& repository) {
    Table table{{"text", "registry", "repository", "tag"}, {}};
    const Tree& tree = *repository.tree;
    const auto path = YamlPath::parse("**.image");
    for (FileId file = 0; file < tree.files.size(); ++file) {
        const std::string_view name = file_name_of(tree.files[file].path);
        if (!name.starts_with("values") || !(name.ends_with(".yaml") || name.ends_with(".yml"))) continue;
        if (tree.indexed_text(file).find("image") == std::string_view::npos) continue;
        for (const DocumentView& document : repository.on_demand->files.view(file).documents) {
            if (document.embedded || document.list_item || !document.root) continue;
            for (const auto& [key, item] : path->find(document.root)) {
                Row row;
                row.anchor = {file, key ? key.span() : item.span()};
                Cell text = item.is_scalar() ? cell_of(file, item)
                                             : Cell{State::known, item.is_mapping() ? "{…}" : "[…]", row.anchor};
                row.cells = {std::move(text), cell_at(file, item, {"registry"}), cell_at(file, item, {"repository"}),
                             cell_at(file, item, {"tag"})};
                table.rows.push_back(std::move(row));
            }
        }
    }
    return table;
}

} // namespace lockstep

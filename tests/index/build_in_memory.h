// Trees in memory, indexed as the program does it.
#pragma once
#include "index/index.h"
#include "tree/locate.h"
#include "yaml/parse.h"
#include <memory>
#include <string>

namespace lockstep {

using FileList = std::initializer_list<std::pair<std::string, std::string>>;

struct Built {
    std::unique_ptr<Tree> tree;
    std::unique_ptr<Locator> locator;
    Index index;

    std::string text_at(Place place) const {
        return tree->files[place.file].text.substr(place.span.begin, place.span.end - place.span.begin);
    }
    std::uint32_t line_of(Place place) const { return locator->locate(place).begin.line; }
    const Object& object(std::string_view kind, std::string_view name) const {
        static const Object none;
        for (const Object& one : index.objects)
            if (one.kind.text == kind && one.name.text == name) return one;
        return none;
    }
};

inline Built build_tree(Tree&& files, const IndexOptions& options = {}) {
    Built built;
    built.tree = std::make_unique<Tree>(std::move(files));
    built.locator = std::make_unique<Locator>(*built.tree);
    Layout layout(*built.tree, {"clusters/_template"}, {"clusters/*"});
    for (FileId id = 0; id < built.tree->files.size(); ++id) {
        File& file = built.tree->files[id];
        if (!is_indexable(file.path)) continue;
        read_file(*built.tree, file);
        Dialect dialect = is_terraform_template(file.path) ? Dialect::terraform : Dialect::yaml;
        YamlText yaml = parse_yaml(file.text, dialect);
        add_file(built.index, index_file(id, file, yaml, layout));
    }
    link_index(built.index, *built.tree, layout, options);
    return built;
}

inline Built build(FileList files, const IndexOptions& options = {}) {
    return build_tree(tree_in_memory(files), options);
}

} // namespace lockstep

// Small trees in memory, built.
#pragma once
#include "kustomize/build.h"
#include "tree/locate.h"
#include "yaml/emit.h"
#include <memory>
#include <string>

namespace lockstep {

struct Folder {
    explicit Folder(std::initializer_list<std::pair<std::string, std::string>> files)
        : tree(std::make_unique<Tree>(tree_in_memory(files))), builder(std::make_unique<Builder>(loader_of(*tree))) {}

    std::string yaml(const Build& build) const {
        std::string out;
        for (const Resource& resource : build.resources) {
            BuildError error;
            const Value* object = builder->tree(resource, &error);
            if (!out.empty()) out += "---\n";
            if (object)
                emit_yaml(*object, out);
            else
                out += "error: " + error.message + "\n";
        }
        return out;
    }
    std::string yaml(std::string_view folder, const BuildOptions& options = {}) const {
        const Build build = builder->build(folder, options);
        if (!build.errors.empty()) return "error: " + build.errors.front().message;
        return yaml(build);
    }
    std::string at(Place place) const { // `path:line`
        if (place.file == no_file) return "";
        const Location location = Locator(*tree).locate(place);
        return std::string(location.path) + ":" + std::to_string(location.begin.line);
    }

    std::unique_ptr<Tree> tree;
    std::unique_ptr<Builder> builder;
};

} // namespace lockstep

// Folders that hologit fills from other repositories before anything is built: `.holo/branches/BRANCH/a/b.toml` puts
// files of a source into a/b, a name that begins with `_` into the folder that it is in.
#pragma once
#include "index/text_of_file.h"
#include "tree/tree.h"
#include <vector>

namespace lockstep {

class HoloMappings {
public:
    // The mappings are those that the rule has as a fact.
    HoloMappings(const Tree& tree, const TextOfFile& text_of);
    bool bring(std::string_view path) const;

private:
    struct Mapping {
        std::string folder;
        std::string_view text;
    };
    std::vector<Mapping> mappings_;
};

} // namespace lockstep

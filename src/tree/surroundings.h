// What lies above a linted folder and has a say in it: the repository it belongs to, with its ignore files and index.
#pragma once
#include "tree/list.h"

namespace lockstep {

struct Surroundings {
    std::shared_ptr<const IgnoreScope> ignore; // .git/info/exclude, then the ignore files from the top down to the root
    std::shared_ptr<TrackedPaths> tracked;     // none outside of git
};

// `real_root` has no link in it. What cannot be read goes to `found`.
Surroundings surroundings_of(const std::string& real_root, WalkPart& found);

} // namespace lockstep

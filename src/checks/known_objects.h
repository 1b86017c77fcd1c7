// Whether what an object says about others can be judged; the older way, of which only flux-path-missing is left.
#pragma once
#include "deploy/name_pattern.h"
#include "rules/read.h"
#include <map>
#include <set>

namespace lockstep {

// Whether a reference of this object can be judged, and how surely the tree holds its whole world.
struct Standing {
    enum class Is : std::uint8_t { applied, loose, not_judged } is = Is::applied;
    std::string why; // not_judged; loose: nothing here applies it
};
// `source` is that of a Flux Kustomization: one that applies this repository belongs to it, whoever applies it.
Standing standing_of(const Repository& repository, const Object& object, Ours source = Ours::unknown);

// Where nothing here applies the referring objects, the custom of the repository decides: when nearly all such
// references lead to something in the tree, one that does not is a fault; when many do not, the rest lives elsewhere.
struct Custom {
    std::size_t here = 0, missing = 0;
    bool is_to_declare() const { return here >= 3 && missing * 10 <= here; }
};

} // namespace lockstep

// Reads strategies of Deployments.
#include "deploy/recreate.h"
#include "index/cells.h"
#include "index/text_search.h"

namespace lockstep {

Cell strategy_of(const Value* tree) {
    return cell_at(tree, {"spec", "strategy", "type"});
}

bool is_recreate(const Cell& type) {
    return is_known(type) && type.text == "Recreate";
}

RecreateSearch::RecreateSearch(const Tree& tree) : tree_(tree), named_(is_mentioned(tree, "Recreate")) {}

bool RecreateSearch::may_recreate(const Object& object) const {
    return named_ || may_be_filled_in(document_text(tree_, object));
}

} // namespace lockstep

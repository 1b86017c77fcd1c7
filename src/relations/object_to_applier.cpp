// Objects, each with what applies it directly.
#include "deploy/applier_rows.h"
#include "deploy/fleet.h"
#include "relations/relation.h"

namespace lockstep::object_to_applier {
namespace {

void fill(const RelationInput& input, RelationRows& rows) {
    for (Row& row : applier_rows(input.repository.index, fleet_of(input.repository)))
        rows.add(std::move(row));
}

} // namespace

constexpr Relation relation{"object-to-applier", "kind namespace name by applier tree", "", fill};

} // namespace lockstep::object_to_applier

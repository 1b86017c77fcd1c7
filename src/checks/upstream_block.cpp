// Reads the blocks' rows.
#include "checks/upstream_block.h"

namespace lockstep {

Mirrors read_mirrors(const CheckInput& input) {
    Mirrors mirrors;
    const Table& fact = input.facts["mirror"];
    for (const Row& row : fact.rows)
        mirrors[fact.at(row, "dir").text] = {fact.at(row, "chart"), fact.at(row, "version"), fact.at(row, "repo"),
                                             row.anchor};
    return mirrors;
}

} // namespace lockstep

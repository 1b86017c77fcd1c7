// The edit that makes one pin say what another says, where that is plain to do.
#pragma once
#include "base/finding.h"
#include "base/table.h"

namespace lockstep {

// Nothing unless both are exact versions written alike (with or without `v`) and `wrong` stands in its file as it is,
// not quoted, escaped or computed.
std::vector<Edit> same_version_edit(const Cell& wrong, const Cell& right);

} // namespace lockstep

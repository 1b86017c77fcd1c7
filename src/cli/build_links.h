// Where a build that runs this program shows the repository: the reports of one can link to lines.
#pragma once
#include <string>

namespace lockstep {

// `https://host/owner/name/blob/COMMIT/` from what GitHub Actions sets for every step; empty elsewhere.
std::string link_base_of_build();

} // namespace lockstep

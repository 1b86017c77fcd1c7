// What a change does to the chains that prove what clusters get: where nobody knows any longer whether something is
// applied, errors become notes.
#pragma once
#include "deploy/repository.h"
#include <string>
#include <vector>

namespace lockstep {

// One line for each reason: `apps/web/cm.yaml and 3 more: was applied for certain, and no longer is: (why)`. What the
// change takes out of a list, or no longer has, is none.
std::vector<std::string> lost_proof(const Repository& before, const Repository& after);

// Lines that the change adds to .gitattributes and after which git checks out something else than Flux reads, of files
// that clusters get.
std::vector<std::string> changed_checkout(const Repository& before, const Repository& after);

} // namespace lockstep

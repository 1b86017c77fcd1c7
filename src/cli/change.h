// What a change is compared with: turns --base, --staged and --config-from-base into the sources of a run.
#pragma once
#include "cli/lint.h"
#include "cli/options.h"

namespace lockstep {

// Without --base and --staged nothing is done, and git is not started.
std::optional<Error> add_change(const Options& options, LintRequest& request);

} // namespace lockstep

// `lockstep build --flux NAME` and `--cluster NAME`.
#pragma once
#include "cli/commands.h"

namespace lockstep {

Result<Printed> run_build_fleet(const Options& options);

} // namespace lockstep

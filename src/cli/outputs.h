// Which reports a run writes, and where each goes: --format and --output, checked before anything is linted.
#pragma once
#include "base/result.h"
#include "report/formats.h"

namespace lockstep {

struct Output {
    const Format* format = nullptr;
    std::string file; // empty: stdout
};

// `format` is empty when --format was not given; `outputs` are words `FORMAT[=FILE]`. Text goes to stdout unless
// --format names another, or an output that cannot be beside text goes there.
Result<std::vector<Output>> plan_outputs(const std::string& format, const std::vector<std::string>& outputs);

} // namespace lockstep

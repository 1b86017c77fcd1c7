// libyaml's complaints in the words of a person who looks at the file.
#pragma once
#include "yaml/node.h"
#include <optional>

namespace lockstep {

struct ReaderFailure {
    std::string_view problem, context; // libyaml's words
    std::uint32_t at = 0;              // where reading stopped
    std::uint32_t context_at = 0;      // where the construct began that could not be finished
    bool has_context_at = false;
    std::optional<std::uint32_t> open_bracket; // the innermost one that waits for its end
};

// `bytes` are those that libyaml read; offsets count from their start.
YamlProblem explain(std::string_view bytes, const ReaderFailure& failure);

} // namespace lockstep

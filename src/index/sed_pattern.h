// What a `s/old/new/` of sed looks for, as a pattern of RE2: for the check that compares scripts with the tree.
#pragma once
#include "index/shell.h"
#include <optional>
#include <string>

namespace lockstep {

struct SedPattern {
    std::string shown;              // as written in the script
    std::string expression;         // in RE2's words
    std::size_t begin = 0, end = 0; // of what is shown, in the word
};

// Nothing for other programs of sed, for a pattern with a variable or a back reference, and for one that says too
// little to be missed. `extended` is sed's -E or -r.
std::optional<SedPattern> sed_pattern(const ShellWord& word, bool extended);

} // namespace lockstep

// The first look at the bytes of a text, before libyaml sees them: what no YAML reader takes, and what the reading
// behind it must know.
#pragma once
#include "yaml/node.h"

namespace lockstep {

struct ByteScan {
    std::vector<YamlProblem> problems; // spans count from the start of the scanned bytes
    std::string blanked;               // a copy with the forbidden bytes as blanks; empty when there are none
    bool readable = true;              // false: not UTF-8 at all, nothing behind this look makes sense
    bool ascii = true;
    bool go_action = false;  // `{{`
    bool reference = false;  // `${`
    bool directive = false;  // `%{`
    bool odd_breaks = false; // U+0085, U+2028, U+2029, or a byte order mark
};

ByteScan scan_bytes(std::string_view bytes);

} // namespace lockstep

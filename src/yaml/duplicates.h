// Keys that are twice in one mapping: go-yaml refuses them, libyaml does not look.
#pragma once
#include "yaml/node.h"

namespace lockstep {

// Adds a problem for every second key, up to a limit per file. Linear in the number of nodes.
void find_duplicate_keys(YamlText& yaml);

} // namespace lockstep

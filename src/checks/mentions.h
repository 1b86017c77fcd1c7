// Whether a word stands anywhere in a tree: checks about rare things ask this before they look at every object.
#pragma once
#include "tree/tree.h"

namespace lockstep {

bool is_mentioned(const Tree& tree, std::string_view word);
// A text that holds template actions or substitutions may say more than is written.
bool may_be_filled_in(std::string_view text);

} // namespace lockstep

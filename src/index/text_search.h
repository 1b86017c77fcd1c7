// Whether a word is anywhere in a tree: checks about rare things ask this before they look at every object.
#pragma once
#include "index/entities.h"
#include "tree/tree.h"

namespace lockstep {

bool holds(std::string_view text, std::string_view word);
// In the files that every run reads.
bool is_mentioned(const Tree& tree, std::string_view word);
// The bytes of an object alone: a file may hold thousands, and looking through all of it for each is quadratic.
std::string_view document_text(const Tree& tree, const Object& object);
// A text that holds template actions or substitutions may say more than is written.
bool may_be_filled_in(std::string_view text);

} // namespace lockstep

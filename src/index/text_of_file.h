// The bytes of a file, for models that may see some files only: those of a rule's own facts, and those that every run
// reads.
#pragma once
#include "tree/tree.h"
#include <functional>

namespace lockstep {

using TextOfFile = std::function<std::string_view(FileId)>; // a null view: not to be seen

} // namespace lockstep

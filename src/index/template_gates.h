// The conditions around a place in a Go template: what must hold for it to be rendered at all.
#pragma once
#include "yaml/actions.h"
#include <string_view>
#include <vector>

namespace lockstep {

// Texts of the `if`, `with` and `range` actions whose blocks hold the byte `offset`, outermost first.
std::vector<std::string_view> gates_around(std::string_view text, const std::vector<TemplateAction>& actions,
                                           std::size_t offset);

} // namespace lockstep

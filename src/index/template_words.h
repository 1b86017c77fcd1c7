// The functions that the actions of a Go template call.
#pragma once
#include "base/span.h"
#include "index/template_guards.h"
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct TemplateWord {
    std::string name;
    Span span;
};

// In an action every bare word is a function, wherever it is: fields start with a dot, variables with a dollar.
std::vector<TemplateWord> template_functions(std::string_view text);

} // namespace lockstep
